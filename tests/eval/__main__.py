"""Measure retrieval and extraction: `make eval`, or `python -m tests.eval` with DATABASE_URL set.

The sets in `tests/eval/sets`, and those in the folder that MEMORYAPP_LOCOMO_DIR names, are put into the product's
own tables. The result is 1 when one of them falls below its target.
"""

import os
import sys
from pathlib import Path


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    os.environ.setdefault("CELERY_BROKER_URL", "memory://")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from memoryapp import master
    from memoryapp.extract.rules import RulesExtractor
    from tests.eval import extraction, measure, sets

    # This database is a throw-away, and so is its key.
    settings.MASTER_KEYSET = master.new_keyset()
    call_command("migrate", verbosity=0)
    locomo = os.environ.get("MEMORYAPP_LOCOMO_DIR")
    folders = [sets.HERE, *([Path(locomo)] if locomo else [])]
    print(extraction.HEADING, *extraction.table(RulesExtractor()), sep="\n  ")
    print(measure.HEADING)
    low = [line for folder in folders for line in measure.folder(folder)]
    print("\n".join(low) if low else "Every set reaches its target.")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
