"""The operators' admin: it works, and shows nothing of what people said."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.conftest import Runtime

SECRET = "zebra-7731"


@pytest.mark.django_db
def test_no_admin_page_shows_content_or_lets_it_be_changed(
    assistant: Runtime, minji: Any, super_admin: Client
) -> None:
    assistant.report("minji", f"내 프로젝트 이름은 {SECRET} 이야")
    assistant.save("minji", f"프로젝트 이름은 {SECRET}")

    for model, page in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        answer = super_admin.get(reverse(f"{name}_changelist"))
        assert answer.status_code == 200, model
        assert SECRET not in answer.content.decode()
        for row in page.model._default_manager.all()[:2]:
            answer = super_admin.get(reverse(f"{name}_change", args=[row.pk]))
            assert answer.status_code == 200, model
            assert SECRET not in answer.content.decode()


def test_a_person_has_no_business_there(at_minjis: Client) -> None:
    assert at_minjis.get("/admin/").status_code == 302
