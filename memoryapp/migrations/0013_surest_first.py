from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0012_key_names")]

    operations = [
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["person", "-confidence", "-updated_at"], name="memory_surest"),
        ),
    ]
