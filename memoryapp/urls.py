"""Every door of the house."""

from django.contrib import admin
from django.urls import include, path

from memoryapp.api.system import healthz, metrics, readyz, signing_keys

urlpatterns = [
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path(".well-known/memoryapp-keys.json", signing_keys),
    path("api/v1/", include("memoryapp.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("memoryapp.pages.urls")),
]

handler500 = "memoryapp.pages.failures.server_error"
