"""Sign-in by an identity provider (OpenID Connect), when one is configured. Read by settings.py itself."""

from typing import Any

APPS = ["allauth.socialaccount", "allauth.socialaccount.providers.openid_connect"]
PROVIDER_ID = "oidc"


def providers(env: Any) -> dict[str, Any]:
    """allauth's settings of the provider named by OIDC_SERVER_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.

    OIDC_USER_ID_CLAIM says which claim is the `user_id` services use. The default is `sub`: the only one that
    no provider lets its users choose for themselves, which would be a way into somebody else's memories.
    """
    return {
        "openid_connect": {
            "OAUTH_PKCE_ENABLED": True,
            "SCOPE": env.list("OIDC_SCOPE", default=["openid"]),
            "APPS": [
                {
                    "provider_id": PROVIDER_ID,
                    "name": env.str("OIDC_NAME", default="OpenID Connect"),
                    "client_id": env.str("OIDC_CLIENT_ID"),
                    "secret": env.str("OIDC_CLIENT_SECRET"),
                    "settings": {
                        "server_url": env.str("OIDC_SERVER_URL"),
                        "user_id_claim": env.str("OIDC_USER_ID_CLAIM", default="sub"),
                    },
                }
            ],
        }
    }
