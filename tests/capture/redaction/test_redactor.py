"""Where secrets stand in heads, targets and bodies, and what does not count as one."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from harness.capture.redaction import Known, Redactor
from tests.capture.redaction.bodies import KEY, PSEUDONYM, SECRETS, fresh, spellings

SECRET = "Zq3+kX/9w=="


def of(kind: str, secret: str) -> str:
    """The pseudonym, with the digits that the run gives it."""
    ((_, value),) = fresh().headers([("x-api-key", secret)])
    return value.replace("api-key", kind)


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("authorization", f"Bearer {SECRET}", "Bearer {authorization}"),
        ("Authorization", f"bearer  {SECRET}", "bearer  {authorization}"),
        ("AUTHORIZATION", SECRET, "{authorization}"),
        ("proxy-authorization", f"Basic {SECRET}", "Basic {authorization}"),
        ("x-forwarded-authorization", f"DPoP {SECRET}", "DPoP {authorization}"),
        ("x-api-key", SECRET, "{api-key}"),
        ("api-key", SECRET, "{api-key}"),
        ("apikey", SECRET, "{api-key}"),
        ("x-goog-api-key", SECRET, "{api-key}"),
        ("ocp-apim-subscription-key", SECRET, "{api-key}"),
        ("x-auth-token", SECRET, "{token}"),
        ("x-a2a-notification-token", SECRET, "{token}"),
        ("x-amz-security-token", SECRET, "{token}"),
        ("x-csrf-token", SECRET, "{token}"),
        ("x-client-secret", SECRET, "{secret}"),
        ("x-password", SECRET, "{password}"),
        ("cookie", f"a={SECRET}", "a={cookie}"),
        ("cookie", f"theme=**; sid={SECRET}; __Host-x={SECRET}", "theme=**; sid={cookie}; __Host-x={cookie}"),
        ("set-cookie", f"sid={SECRET}; Path=/; HttpOnly", "sid={cookie}; Path=/; HttpOnly"),
        ("referer", f"http://host/x?api_key={SECRET}", "http://host/x?api_key={api-key}"),
        ("location", f"http://user:{SECRET.replace('/', '.')}@host/", "http://user:{password}@host/"),
    ],
)
def test_headers(name, value, written):
    secret = SECRET.replace("/", ".") if "{password}@" in written else SECRET
    kind = written.partition("{")[2].partition("}")[0]
    expected = written.replace(f"{{{kind}}}", of(kind, secret))
    assert fresh().headers([(name, value)]) == ((name, expected),)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("content-type", "application/json"), ("host", "localhost:8191"), ("a2a-version", "1.0"),
        ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ("x-request-id", "3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11"), ("etag", '"33a64df551425fcc"'),
        ("www-authenticate", 'Bearer realm="example", error="invalid_token"'), ("x-total-tokens", "1512"),
        ("authorization", "Bearer <secret:authorization:12345678>"), ("authorization", ""), ("authorization", "Bearer ***"),
        ("cookie", "sid=<secret:cookie:12345678>"), ("user-agent", "python-httpx/0.28.1"),
        ("date", "Tue, 11 Aug 2026 09:30:01 GMT"), ("x-api-key", "${API_KEY}"),
    ],
)  # fmt: skip
def test_headers_without_secrets(name, value):
    assert fresh().headers([(name, value)]) == ((name, value),)


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("/a2a?api_key={}&x=1", "/a2a?api_key=<>&x=1"),
        ("/a2a?x=1&access_token={}", "/a2a?x=1&access_token=<>"),
        ("/a2a?token={}#part", "/a2a?token=<>#part"),
        ("/a2a?key={}", "/a2a?key=<>"),
        ("/a2a?sig={}&se=2026", "/a2a?sig=<>&se=2026"),
        ("/a2a?%61pi%5Fkey={}", "/a2a?%61pi%5Fkey=<>"),
        ("http://host/a2a?password={}", "http://host/a2a?password=<>"),
        ("/bot/sk-{}", "/bot/<>"),
    ],
)
def test_targets(target, written):
    secret = "abcDEF123456ghiJKL789mno"
    assert PSEUDONYM.sub("<>", fresh().target(target.format(secret))) == written


@pytest.mark.parametrize(
    "target",
    [
        "/a2a",
        "/v1/tasks/3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11:subscribe",
        "/x?pageToken=abc123&key=name&code=404",
        "*",
    ],
)
def test_targets_without_secrets(target):
    assert fresh().target(target) == target


NAMED = (
    "apiKey", "api_key", "api-key", "API_KEY", "Api Key", "x-api-key", "openai_api_key", "access_token", "accessToken",
    "refreshToken", "id_token", "token", "pushToken", "password", "passwd", "userPassword", "passphrase", "secret",
    "client_secret", "clientSecret", "credentials", "authorization", "Proxy-Authorization", "private_key",
    "aws_secret_access_key", "accessKeyId", "spring.datasource.password", "cookie", "set-cookie",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_members_in_json_and_in_json_in_strings(name, depth):
    value = {"a": 1, name: SECRET, "b": ["kept"]}
    text = json.dumps(value)
    for _ in range(depth):
        text = json.dumps({"text": text, "n": 2})
    out = fresh().text(text)
    assert not any(spelling in out.encode() for spelling in spellings(SECRET))
    for _ in range(depth):
        held = json.loads(out)
        assert held["n"] == 2
        out = held["text"]
    made = json.loads(out)
    assert PSEUDONYM.fullmatch(made.pop(name))
    assert made == {"a": 1, "b": ["kept"]}


WRITTEN = (
    '{"apiKey":"@"}', '{ "apiKey" : "@" }', '{"apiKey":\n  "@"}', "{'apiKey': '@'}", '{"\\u0061piKey":"@"}',
    '{"api\\u004bey":"@"}', "apiKey=@", "x=1&apiKey=@&y=2", "a=b\napiKey=@\n", "{apiKey=@, x=1}", "api_key: @ and more",
    "%7B%22apiKey%22%3A%22@%22%7D", "x%3D1%26api_key%3D@%26y%3D2", "%257B%2522apiKey%2522%253A%2522@%2522%257D",
    "curl -H 'x-api-key: @' http://host/", "Authorization: Bearer @\r\nHost: x", '{"log":"Authorization: @\\r\\nHost: x"}',
    '{"headers":[["x-api-key","@"],["host","x"]]}', '{"name":"Authorization","value":"Bearer @"}',
    '{"name" : "x-api-key" , "value" : "@"}', "{\\u0022apiKey\\u0022:\\u0022@\\u0022}", '{"uri":"http://u:@@h/"}',
    '{"uri":"http:\\/\\/u:@@h\\/"}', '{"apiKeys":["@","@"]}', '{"credentials":{"a":"@","b":["@",{"c":"@"}]}}',
    '{"text":"{\\"credentials\\":{\\"a\\":\\"@\\"}}"}', '{"password":["@"]}', "<a href=\"/x?token=@\">", "Cookie: a=@; b=@",
    "Bearer @", "see: bearer  @.", "sk-@", "key sk-@,", '"sk\\u002d@"', "sk%2D@", "ghp_@", "github_pat_@", "glpat-@",
    "eyJhbGciOiJIUzI1NiJ9.@@.@@", "xoxb-1234-@", "hf_@", "npm_@", "AIza@", "tvly-@",
    "> X-Api-Key: @\n> Host: x", "-----BEGIN PRIVATE KEY-----\n@\n@\n-----END PRIVATE KEY-----", '"-----BEGIN RSA PRIVATE KEY-----\\n@\\n@\\n-----END"',
)  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_places_in_text(text):
    secret = "Q7abcDEF2ghiJKL3mnoPQR4stuVWX5yz0123"
    out = fresh().text(text.replace("@@h", "\0h").replace("@", secret).replace("\0", f"{secret}@"))
    assert secret not in out
    assert PSEUDONYM.search(out)


def test_what_stands_around_a_secret_is_kept():
    text = '{"a":1,"apiKey":"abc","n":{"password":"d,e}f"},"u":"http://me:pw1@host/x?token=t1&y=2","z":[true,null]}'
    out = fresh().text(text)
    assert PSEUDONYM.sub("@", out) == (
        '{"a":1,"apiKey":"@","n":{"password":"@"},"u":"http://me:@@host/x?token=@&y=2","z":[true,null]}'
    )


UNTOUCHED = (
    '{"total_tokens":15,"input_tokens":3,"maxTokens":99,"tokens":7,"token":5,"usage":{"completion_tokens":12}}',
    '{"tokens":["Hel","lo"],"token":{"id":15496,"text":"Hello"}}', '{"token":" Hello world"}', '{"token":"价格"}',
    '{"nextPageToken":"CAUQAA1234","pageToken":"x9","token_type":"bearer","expires_in":3600}',
    '{"toolCallId":"call_00_Zx0AbC","id":"call_01_sk"}', '{"taskId":"task-1234567890123456789","contextId":"ctx-demo-01"}',
    '{"taskId":"3f6d1c1e-0c7a-4b55-9f0e-6a1f2f0c9a11","timestamp":"2026-08-11T09:30:01.137+08:00"}',
    '{"schemes":["Bearer"],"security":[{"bearer":[]}],"securitySchemes":{"apiKey":{"type":"apiKey","in":"header","name":"X-API-Key"}}}',
    '{"properties":{"password":{"type":"string","description":"of the user"}},"required":["token","password"]}',
    '{"credentials":{"type":"object","properties":{"user":{"type":"string"}}}}',
    '{"protected":"eyJhbGciOiJSUzI1NiIsImtpZCI6ImtleS0xIn0","signature":"QFdkNLNszlGj3z3u0YQGt_T9LixY3qtdQpZmsTdDHDe3"}',
    '{"apiKey":null,"password":true,"secret":"","authorization":"***","api_key":"<your key>","token":"${TOKEN}"}',
    '{"raw":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk","uri":"https://host/a/b?x=1#y"}',
    "the password: must be long; a token: a unit of text; the secret is out; Basic authentication, Bearer of news",
    "cookies are: sweet. Cookie: a small file", "max_tokens=100&total_token=5", "x = token == 3", "risk-abc1234567890123456789",
    "disk-0123456789abcdef0123456789abcdef", "http://localhost:8191/a2a", "mail user@host: hello", "ratio 16:9@60",
    "key=value", "eyJ", "sk-", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "<secret:token:12345678> and <secret:api-key:00000000>", '{"apiKey":"<secret:api-key:12345678>"}',
)  # fmt: skip


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_is_no_secret_is_untouched(text):
    assert fresh().text(text) == text
    assert fresh().text(json.dumps({"text": text})) == json.dumps({"text": text})


def test_numbers_become_strings_where_they_are_secret():
    out = json.loads(fresh().text('{"password": -12.5e3, "pin": 5, "text":"{\\"password\\":12}"}'))
    assert PSEUDONYM.fullmatch(out["password"])
    assert out["pin"] == 5
    assert PSEUDONYM.fullmatch(json.loads(out["text"])["password"])


def test_equal_secrets_are_equal_everywhere_in_a_run():
    one, other = fresh(), fresh()
    digits = {
        PSEUDONYM.search(text)[0][-9:-1]
        for text in (
            one.headers([("authorization", "Bearer abc/def1")])[0][1],
            one.text('{"apiKey":"abc\\/def1"}'),
            one.text('{"text":"{\\"password\\":\\"abc/def1\\"}"}'),
            one.text("token=abc%2Fdef1&x=1"),
            one.target("/?token=abc%2Fdef1"),
            other.text('{"token":"\\u0061bc/def1"}'),
        )
    }
    assert len(digits) == 1


def test_keys_change_the_pseudonyms_and_have_an_id():
    one, other = Redactor(SECRETS, KEY), Redactor(SECRETS, b"another")
    assert one.text('{"apiKey":"abc"}') != other.text('{"apiKey":"abc"}')
    assert one.key_id == Redactor(SECRETS, KEY).key_id != other.key_id
    assert KEY.decode() not in one.key_id
    assert Redactor(SECRETS).key_id != Redactor(SECRETS).key_id


@pytest.mark.parametrize(
    "secret", [SECRET, 'a"b\\c-1234', "p@ss wörd 12", "plain1234567", "x" * 20 + "1ab" * 900]
)
@pytest.mark.parametrize("name", ["authorization", "x-api-key", "x-auth-token"])
def test_a_secret_of_a_head_is_known_in_bodies(name, secret):
    """However it is written there, and whatever it is called."""
    raw = secret.encode()
    texts = (
        secret, json.dumps(secret), json.dumps(json.dumps(secret)), quote(secret, safe=""), quote_plus(secret),
        quote(secret, safe="").lower() if secret.islower() else secret, raw.hex(), raw.hex().upper(),
        *(base64.b64encode(b"abc"[:shift] + raw + b"tail").decode() for shift in range(3)),
        *(base64.urlsafe_b64encode(b"abc"[:shift] + raw).decode() for shift in range(3)),
    )  # fmt: skip
    for text in texts:
        out = fresh((name, secret)).text(f'{{"text":{json.dumps("you sent " + text)}}}').encode()
        assert [one for one in spellings(secret) if one in out] == []
        assert PSEUDONYM.search(out.decode())


def test_user_and_password_of_basic_are_known():
    token = base64.b64encode(b"user:correct-horse1").decode()
    out = fresh(("authorization", f"Basic {token}")).text(f"{token} user:correct-horse1 correct-horse1")
    assert PSEUDONYM.sub("@", out) == "@ @ @"


def test_a_known_number_in_json_stays_a_number():
    out = json.loads(fresh(("x-api-key", "1234567890123")).text('{"a":1234567890123,"b":"1234567890123"}'))
    assert isinstance(out["a"], int)
    assert out["a"] != 1234567890123
    assert PSEUDONYM.fullmatch(out["b"])


def test_short_and_plain_values_are_not_looked_for():
    redactor = fresh(("cookie", "theme=dark; n=1111111111; lang=en"))
    assert redactor.text("dark matter, 1111111111, en") == "dark matter, 1111111111, en"


def test_a_word_that_is_a_password_does_not_take_all_words_with_it():
    text = fresh().text(
        '{"password":"assistant","role":"assistant","secret":"correct-horse-battery","t":"correct-horse-battery"}'
    )
    held = json.loads(text)
    assert PSEUDONYM.fullmatch(held["password"])
    assert held["role"] == "assistant"
    assert held["secret"] == held["t"] != "correct-horse-battery"


def test_known_secrets_can_be_shared_and_are_bounded():
    known = Known()
    for number in range(500):
        one = Redactor(SECRETS, KEY, known)
        one.headers([("authorization", f"Bearer abcdefgh-{number:05}")])
        one.text(f'{{"password":"ijklmnop-{number:05}"}}')
    other = Redactor(SECRETS, KEY, known)
    assert "00499" not in other.text("abcdefgh-00499 ijklmnop-00499")
    assert len(known.forms) < 1000


def test_an_exchange_knows_its_own_secrets_however_many_there_are_at_once():
    run = Redactor(SECRETS, KEY)
    exchanges = [run.exchange() for _ in range(200)]
    for number, one in enumerate(exchanges):
        one.headers([("authorization", f"Bearer abcdefgh-{number:05}")])
    for number, one in enumerate(exchanges):
        assert "abcdefgh" not in one.text(f"you sent abcdefgh-{number:05}")
    assert "abcdefgh" not in run.exchange().text("somebody sent abcdefgh-00199")
    assert {one.key_id for one in exchanges} == {run.key_id}
    assert len(run.known.forms) < 1000


def test_data_keeps_bytes_that_are_no_text():
    assert fresh().data(b'\xff\xfe "apiKey":"abc" \x80').startswith(b'\xff\xfe "apiKey":"<secret:')
    assert fresh().data(b"\xff\xfe\x00") == b"\xff\xfe\x00"
    assert fresh().text("\ud800 x") == "\ud800 x"


@pytest.mark.parametrize(
    "piece",
    [
        '"apiKey":"',
        "\\",
        "token:",
        "eyJ",
        "://a:",
        "sk-",
        "%25",
        "[",
        '{"credentials":{',
        "-----BEGIN ",
        "'",
        " ",
        ")",
        "x=",
    ],
)
def test_long_hostile_texts_come_to_an_end(no_hang, piece):
    assert fresh().text(piece * (100_000 // len(piece)))
