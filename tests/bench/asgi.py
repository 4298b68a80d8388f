"""The product as it is served, with the yardstick view in it."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

from django.conf import settings

settings.ROOT_URLCONF = "tests.bench.urls"

from memoryapp.asgi import application  # noqa: E402

__all__ = ["application"]
