"""Voices that belong to somebody."""

from tests.a2a.conftest import link

__all__ = ["link"]
