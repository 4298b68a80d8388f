"""The product's role, database and extensions in an embedded cluster; the broker's tables in any database."""

import psycopg
from pgmq.install import install_pgmq_from_sql
from psycopg import Connection, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memoryapp.embedded.postgres import Postgres

NAME = "memoryapp"  # of the database and of the role that owns it
EXTENSIONS = ("vector", "btree_gin")


def ensure_database(server: Postgres) -> str:
    """Make role, database and extensions where missing; returns the URL the product connects with.

    The product's role is no superuser, as in a real deployment. It may create databases, for the tests; the
    extensions go into the template, so that those have them too.
    """
    with psycopg.connect(server.url("postgres"), autocommit=True) as superuser:
        if not _exists(superuser, "pg_roles", "rolname"):
            superuser.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB").format(sql.Identifier(NAME)))
    _ensure_extensions(server.url("template1"))
    with psycopg.connect(server.url("postgres"), autocommit=True) as superuser:
        if not _exists(superuser, "pg_database", "datname"):
            superuser.execute(sql.SQL("CREATE DATABASE {0} OWNER {0}").format(sql.Identifier(NAME)))
    _ensure_extensions(server.url(NAME))
    return server.url(NAME, NAME)


def broker_dsn(database_url: str) -> str:
    """The same database as "host=… dbname=… user=…", the form in which the pgmq broker wants it."""
    parts = {key: str(value) for key, value in conninfo_to_dict(database_url).items() if value is not None}
    return make_conninfo(**parts)


def ensure_broker(database_url: str) -> None:
    """Install pgmq's tables and functions, all or nothing, unless they are there."""
    with psycopg.connect(database_url) as connection:
        found = connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'pgmq'").fetchone()
        if not found:
            install_pgmq_from_sql(conn=connection)


def _exists(connection: Connection, catalogue: str, column: str) -> bool:
    query = sql.SQL("SELECT 1 FROM {} WHERE {} = %s").format(
        sql.Identifier(catalogue), sql.Identifier(column)
    )
    return connection.execute(query, [NAME]).fetchone() is not None


def _ensure_extensions(url: str) -> None:
    with psycopg.connect(url, autocommit=True, options="-c client_min_messages=warning") as superuser:
        for name in EXTENSIONS:
            superuser.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(name)))
            superuser.execute(sql.SQL("ALTER EXTENSION {} UPDATE").format(sql.Identifier(name)))
