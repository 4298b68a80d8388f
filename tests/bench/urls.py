"""The product's addresses and one more: `SELECT 1` behind the same middleware, the yardstick of every figure."""

from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

from memoryapp.urls import handler500 as handler500
from memoryapp.urls import urlpatterns as product


def select_one(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return HttpResponse(str(cursor.fetchone()))


urlpatterns = [path("select-1", select_one), *product]
