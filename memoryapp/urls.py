"""Every door of the house."""

from django.contrib import admin
from django.urls import include, path

from memoryapp.api.system import healthz, metrics, readyz, signing_keys
from memoryapp.pages.accounts import reset_password

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path(".well-known/memoryapp-keys.json", signing_keys, name="public_keys"),
    path("api/v1/", include("memoryapp.api.urls")),
    path("accounts/password/reset/", reset_password, name="account_reset_password"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("memoryapp.pages.urls")),
]

handler500 = "memoryapp.pages.failures.server_error"
