"""What `make run` needs around the product: an embedded PostgreSQL and a supervisor for all processes.

Nothing in here imports Django when it is imported; the launcher must work before anything is configured.
"""
