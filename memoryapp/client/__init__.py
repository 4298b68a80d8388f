"""What an agent's process needs: plain HTTP, and adapters for agent frameworks. No Django."""
