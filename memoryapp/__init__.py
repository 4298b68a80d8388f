"""Long-term memory for assistants, decided by the person it is about."""
