import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memoryapp', '0019_ledger_and_answers'),
    ]

    operations = [
        migrations.AddField(
            model_name='contextblock',
            name='used_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, help_text='When a session last had it, to the day: unused ones are purged.'),
        ),
        migrations.AddField(
            model_name='frozenprompt',
            name='used_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now, help_text='When it was last given out, to the day.'),
        ),
    ]
