"""The A2A memory contract: what a device and the planner tell each other about memory."""
