from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memoryapp', '0018_pause_building'),
    ]

    operations = [
        migrations.AddField(
            model_name='vaultseal',
            name='ledger_id',
            field=models.UUIDField(blank=True, help_text='Of the ledger of erasures outside this database; empty = none was begun.', null=True),
        ),
        migrations.AddField(
            model_name='idempotentanswer',
            name='speaker_id',
            field=models.CharField(blank=True, db_default='', help_text="The voice it is about, while that is nobody's.", max_length=255),
        ),
    ]
