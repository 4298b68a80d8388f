import uuid

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0013_surest_first")]

    operations = [
        migrations.AddField(
            model_name="erasure",
            name="public_id",
            # Earlier erasures did not keep it: a number that is nobody's.
            field=models.UUIDField(
                default=uuid.uuid4, help_text="A random number that named the person and now names nobody."
            ),
        ),
        migrations.AlterField(
            model_name="erasure",
            name="public_id",
            field=models.UUIDField(help_text="A random number that named the person and now names nobody."),
        ),
        migrations.AddField(
            model_name="erasure",
            name="certificate",
            field=models.JSONField(default=dict, help_text="As signed."),
        ),
        migrations.AddField(
            model_name="erasure",
            name="kept_outside_at",
            field=models.DateTimeField(
                blank=True,
                help_text="When the certificate was written to the ledger outside this database.",
                null=True,
            ),
        ),
        migrations.RemoveField(model_name="erasure", name="person_pk"),
        migrations.RemoveField(model_name="erasure", name="user_sha256"),
    ]
