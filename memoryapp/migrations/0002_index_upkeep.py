"""Keep index-only scans index-only: vacuum the index tables after few inserts (STACK.md)."""

from django.db import migrations

TABLES = ("memoryapp_vector", "memoryapp_indexentry", "memoryapp_memory")


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0001_initial")]

    operations = [
        migrations.RunSQL(
            [
                f"ALTER TABLE {table} SET (autovacuum_vacuum_insert_scale_factor = 0.01, "
                "autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)"
                for table in TABLES
            ],
            [
                f"ALTER TABLE {table} RESET (autovacuum_vacuum_insert_scale_factor, "
                "autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)"
                for table in TABLES
            ],
        )
    ]
