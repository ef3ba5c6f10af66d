"""The language follows the option, then the locale."""

from __future__ import annotations

import pytest

from harness.cli.words import language


@pytest.mark.parametrize(
    ("asked", "environ", "lang"),
    [
        (None, {}, "en"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US"}, "en"),
        (None, {"LANG": "en_US", "LC_ALL": "zh_TW"}, "zh"),
        (None, {"LC_ALL": "", "LANG": "zh"}, "zh"),
        (None, {"LC_ALL": "C", "LANG": "zh_CN"}, "en"),
        ("en", {"LANG": "zh_CN"}, "en"),
        ("zh", {}, "zh"),
    ],
)
def test_language(asked, environ, lang: str) -> None:
    assert language(asked, environ) == lang
