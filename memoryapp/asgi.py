"""The ASGI application: Django, behind a refusal to start with the wrong keys."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

from django.core.asgi import get_asgi_application  # noqa: E402

application = get_asgi_application()

from memoryapp import vault  # noqa: E402

vault.verify()
