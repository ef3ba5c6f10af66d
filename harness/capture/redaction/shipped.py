"""GENERATED from mappings/secrets.yaml by `python -m harness.capture.redaction.generate`."""

from __future__ import annotations

from harness.capture.redaction.form import Name, Secrets, Shape

SOURCE = (
    "# What counts as a secret: names whose values are, and shapes that are by themselves.\n"
    "# docs/secrets.md explains the file; `--secrets FILE` reads one of yours before this one.\n"
    "secrets: 1\n"
    "\n"
    "names:\n"
    '  # `api key` is apiKey, api_key, API-KEY, "Api Key"; `* token` is any name that ends so.\n'
    "  - kind: authorization\n"
    '    named: ["* authorization", authorization]\n'
    "    in: [header, member, query]\n"
    "    keeps: scheme\n"
    "\n"
    "  - kind: cookie\n"
    '    named: [cookie, cookies, "* cookie"]\n'
    "    except: [set cookie]\n"
    "    in: [header, member]\n"
    "    keeps: cookies\n"
    "\n"
    "  - kind: cookie\n"
    "    named: [set cookie]\n"
    "    in: [header, member]\n"
    "    keeps: set-cookie\n"
    "\n"
    "  - kind: api-key\n"
    "    named:\n"
    '      - "* api key"\n'
    '      - "* api keys"\n'
    '      - "* apikeys"\n'
    '      - "* access key"\n'
    '      - "* access key id"\n'
    '      - "* secret key"\n'
    '      - "* subscription key"\n'
    '      - "* functions key"\n'
    '      - "* account key"\n'
    '      - "* shared key"\n'
    '      - "* auth key"\n'
    '      - "* signing key"\n'
    '      - "* encryption key"\n'
    '      - "* service key"\n'
    '      - "* master key"\n'
    "    in: [header, member, query]\n"
    "    deep: true\n"
    "\n"
    "  - kind: private-key\n"
    '    named: ["* private key", "* private key pem"]\n'
    "    in: [header, member, query]\n"
    "\n"
    "  - kind: token\n"
    "    named:\n"
    '      - "* access token"\n'
    '      - "* refresh token"\n'
    '      - "* id token"\n'
    '      - "* auth token"\n'
    '      - "* session token"\n'
    '      - "* bearer token"\n'
    '      - "* api token"\n'
    '      - "* security token"\n'
    '      - "* csrf token"\n'
    '      - "* xsrf token"\n'
    '      - "* push token"\n'
    "    in: [header, member, query]\n"
    "\n"
    "  - kind: token\n"
    "    # the word alone has other meanings: values of several words, or numbers, are none\n"
    '    named: ["* token", "* tokens"]\n'
    "    except:\n"
    "      # counts, cursors, words of a model: no secrets\n"
    "      - tokens\n"
    "      - total tokens\n"
    "      - input tokens\n"
    "      - output tokens\n"
    "      - prompt tokens\n"
    "      - completion tokens\n"
    "      - reasoning tokens\n"
    "      - cached tokens\n"
    "      - audio tokens\n"
    "      - max tokens\n"
    "      - max new tokens\n"
    "      - min tokens\n"
    "      - num tokens\n"
    "      - max output tokens\n"
    "      - max input tokens\n"
    "      - max completion tokens\n"
    "      - thinking tokens\n"
    "      - budget tokens\n"
    "      - cache creation input tokens\n"
    "      - cache read input tokens\n"
    "      - accepted prediction tokens\n"
    "      - rejected prediction tokens\n"
    "      - stop tokens\n"
    "      - special tokens\n"
    "      - bad words tokens\n"
    "      - page token\n"
    "      - next page token\n"
    "      - prev page token\n"
    "      - previous page token\n"
    "      - next token\n"
    "      - continuation token\n"
    "      - pagination token\n"
    "      - cursor token\n"
    "      - sync token\n"
    "      - cancellation token\n"
    "      - cancel token\n"
    "      - bos token\n"
    "      - eos token\n"
    "      - pad token\n"
    "      - unk token\n"
    "      - mask token\n"
    "      - sep token\n"
    "      - cls token\n"
    "    in: [header, member, query]\n"
    "    takes: word\n"
    "\n"
    "  - kind: password\n"
    '    named: ["* password", "* passwd", "* passwort", "* passphrase", "* pwd", "* passcode"]\n'
    "    in: [header, member, query]\n"
    "\n"
    "  - kind: secret\n"
    '    named: ["* secret", "* secrets", "* client secret value", "* secret access key"]\n'
    "    in: [header, member, query]\n"
    "    deep: true\n"
    "\n"
    "  - kind: credentials\n"
    '    # of A2A push notifications: {"schemes": ["Bearer"], "credentials": "..."}\n'
    '    named: ["* credential", "* credentials"]\n'
    "    in: [header, member, query]\n"
    "    deep: true\n"
    "\n"
    "  - kind: signature\n"
    "    # of signed addresses; the signature of an agent card is no secret\n"
    "    named: [sig, x amz signature, x amz credential, x goog signature, x goog credential, x amz security token]\n"
    "    in: [query]\n"
    "\n"
    "  - kind: api-key\n"
    "    # `?key=` of several providers; the word alone has other meanings\n"
    "    named: [key]\n"
    "    in: [query]\n"
    "    takes: mixed\n"
    "\n"
    "shapes:\n"
    "  - {kind: jwt, build: jwt}\n"
    "  - {kind: private-key, build: pem}\n"
    "  - {kind: password, build: url}\n"
    "  - {kind: bearer, build: bearer}\n"
    "  - {kind: basic, build: basic}\n"
    '  - {kind: api-key, begins: sk-, then: "A-Za-z0-9_-", least: 16}\n'
    '  - {kind: api-key, begins: [sk_live_, sk_test_, rk_live_, rk_test_], then: "A-Za-z0-9", least: 16}\n'
    '  - {kind: github-token, begins: [ghp_, gho_, ghu_, ghs_, ghr_], then: "A-Za-z0-9", least: 20}\n'
    '  - {kind: github-token, begins: github_pat_, then: "A-Za-z0-9_", least: 20}\n'
    '  - {kind: gitlab-token, begins: glpat-, then: "A-Za-z0-9_-", least: 16}\n'
    '  - {kind: aws-key, begins: [AKIA, ASIA], then: "A-Z0-9", least: 16}\n'
    '  - {kind: google-key, begins: AIza, then: "A-Za-z0-9_-", least: 30}\n'
    '  - {kind: google-token, begins: ya29., then: "A-Za-z0-9_-", least: 20}\n'
    '  - {kind: slack-token, begins: xox, then: "A-Za-z0-9-", least: 12}\n'
    '  - {kind: huggingface-token, begins: hf_, then: "A-Za-z0-9", least: 24}\n'
    '  - {kind: api-key, begins: tvly-, then: "A-Za-z0-9_-", least: 16}\n'
    '  - {kind: npm-token, begins: npm_, then: "A-Za-z0-9", least: 30}\n'
)

SECRETS = Secrets(
    names=(
        Name(
            kind="authorization",
            exact=("authorization",),
            endings=("authorization",),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="scheme",
            deep=False,
        ),
        Name(
            kind="cookie",
            exact=("cookie", "cookies"),
            endings=("cookie",),
            excepted=("setcookie",),
            places=("header", "member"),
            takes="any",
            keeps="cookies",
            deep=False,
        ),
        Name(
            kind="cookie",
            exact=("setcookie",),
            endings=(),
            excepted=(),
            places=("header", "member"),
            takes="any",
            keeps="set-cookie",
            deep=False,
        ),
        Name(
            kind="api-key",
            exact=(),
            endings=(
                "apikey",
                "apikeys",
                "apikeys",
                "accesskey",
                "accesskeyid",
                "secretkey",
                "subscriptionkey",
                "functionskey",
                "accountkey",
                "sharedkey",
                "authkey",
                "signingkey",
                "encryptionkey",
                "servicekey",
                "masterkey",
            ),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=True,
        ),
        Name(
            kind="private-key",
            exact=(),
            endings=("privatekey", "privatekeypem"),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=False,
        ),
        Name(
            kind="token",
            exact=(),
            endings=(
                "accesstoken",
                "refreshtoken",
                "idtoken",
                "authtoken",
                "sessiontoken",
                "bearertoken",
                "apitoken",
                "securitytoken",
                "csrftoken",
                "xsrftoken",
                "pushtoken",
            ),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=False,
        ),
        Name(
            kind="token",
            exact=(),
            endings=("token", "tokens"),
            excepted=(
                "tokens",
                "totaltokens",
                "inputtokens",
                "outputtokens",
                "prompttokens",
                "completiontokens",
                "reasoningtokens",
                "cachedtokens",
                "audiotokens",
                "maxtokens",
                "maxnewtokens",
                "mintokens",
                "numtokens",
                "maxoutputtokens",
                "maxinputtokens",
                "maxcompletiontokens",
                "thinkingtokens",
                "budgettokens",
                "cachecreationinputtokens",
                "cachereadinputtokens",
                "acceptedpredictiontokens",
                "rejectedpredictiontokens",
                "stoptokens",
                "specialtokens",
                "badwordstokens",
                "pagetoken",
                "nextpagetoken",
                "prevpagetoken",
                "previouspagetoken",
                "nexttoken",
                "continuationtoken",
                "paginationtoken",
                "cursortoken",
                "synctoken",
                "cancellationtoken",
                "canceltoken",
                "bostoken",
                "eostoken",
                "padtoken",
                "unktoken",
                "masktoken",
                "septoken",
                "clstoken",
            ),
            places=("header", "member", "query"),
            takes="word",
            keeps="nothing",
            deep=False,
        ),
        Name(
            kind="password",
            exact=(),
            endings=("password", "passwd", "passwort", "passphrase", "pwd", "passcode"),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=False,
        ),
        Name(
            kind="secret",
            exact=(),
            endings=("secret", "secrets", "clientsecretvalue", "secretaccesskey"),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=True,
        ),
        Name(
            kind="credentials",
            exact=(),
            endings=("credential", "credentials"),
            excepted=(),
            places=("header", "member", "query"),
            takes="any",
            keeps="nothing",
            deep=True,
        ),
        Name(
            kind="signature",
            exact=(
                "sig",
                "xamzsignature",
                "xamzcredential",
                "xgoogsignature",
                "xgoogcredential",
                "xamzsecuritytoken",
            ),
            endings=(),
            excepted=(),
            places=("query",),
            takes="any",
            keeps="nothing",
            deep=False,
        ),
        Name(
            kind="api-key",
            exact=("key",),
            endings=(),
            excepted=(),
            places=("query",),
            takes="mixed",
            keeps="nothing",
            deep=False,
        ),
    ),
    shapes=(
        Shape(kind="jwt", build="jwt", begins=("eyJ",), characters="", least=0),
        Shape(kind="private-key", build="pem", begins=("-----BEGIN",), characters="", least=0),
        Shape(kind="password", build="url", begins=("://",), characters="", least=0),
        Shape(kind="bearer", build="bearer", begins=("bearer",), characters="", least=0),
        Shape(kind="basic", build="basic", begins=("basic",), characters="", least=0),
        Shape(kind="api-key", build="run", begins=("sk-",), characters="A-Za-z0-9_-", least=16),
        Shape(
            kind="api-key",
            build="run",
            begins=("sk_live_", "sk_test_", "rk_live_", "rk_test_"),
            characters="A-Za-z0-9",
            least=16,
        ),
        Shape(
            kind="github-token",
            build="run",
            begins=("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
            characters="A-Za-z0-9",
            least=20,
        ),
        Shape(kind="github-token", build="run", begins=("github_pat_",), characters="A-Za-z0-9_", least=20),
        Shape(kind="gitlab-token", build="run", begins=("glpat-",), characters="A-Za-z0-9_-", least=16),
        Shape(kind="aws-key", build="run", begins=("AKIA", "ASIA"), characters="A-Z0-9", least=16),
        Shape(kind="google-key", build="run", begins=("AIza",), characters="A-Za-z0-9_-", least=30),
        Shape(kind="google-token", build="run", begins=("ya29.",), characters="A-Za-z0-9_-", least=20),
        Shape(kind="slack-token", build="run", begins=("xox",), characters="A-Za-z0-9-", least=12),
        Shape(kind="huggingface-token", build="run", begins=("hf_",), characters="A-Za-z0-9", least=24),
        Shape(kind="api-key", build="run", begins=("tvly-",), characters="A-Za-z0-9_-", least=16),
        Shape(kind="npm-token", build="run", begins=("npm_",), characters="A-Za-z0-9", least=30),
    ),
    words=(
        "authorization",
        "cookie",
        "credential",
        "key",
        "pass",
        "pwd",
        "secret",
        "sig=",
        "signature",
        "token",
    ),
)
