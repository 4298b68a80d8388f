#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys

from django.core.management import execute_from_command_line

#: Whoever checks these papers has our source and the files, and no product of ours.
FILES_ALONE = ("verify_certificate", "verify_receipts")

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in FILES_ALONE and "--database" not in sys.argv:
        os.environ.setdefault("SECRET_KEY", "nothing is signed with it here")
        os.environ.setdefault("DATABASE_URL", "postgresql://nobody.invalid/never-asked")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    execute_from_command_line(sys.argv)
