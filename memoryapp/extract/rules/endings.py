"""How a Korean clause ends when Kiwi sees no ending: "요가 가", "커피는 무조건 아이스", "…야 ㅋㅋ"."""

from memoryapp.extract.rules.analyser import Token
from memoryapp.extract.rules.phrases import NOMINAL


def laugh(core: list[Token]) -> bool:
    return (
        bool(core)
        and core[-1].tag in ("NNG", "UN", "NA", "SW", "IC")
        and set(core[-1].form) <= set("ㅋㅎㅠㅜ~^;")
    )


def finite(core: list[Token]) -> list[Token]:
    """ "매주 저녁에 요가 가": Kiwi takes a last 가 for the particle; a sentence does not end with one."""
    last = core[-1] if core else None
    if (
        last
        and last.tag == "JX"
        and last.form in ("야", "이야", "이요")
        and len(core) > 1
        and core[-2].tag in NOMINAL
    ):
        return [
            *core[:-1],
            Token("이", "VCP", last.begin, last.begin),
            Token("야", "EF", last.begin, last.stop),
        ]
    if (
        last
        and last.tag == "EF"
        and last.form in ("야", "예요", "에요", "이야")
        and len(core) > 1
        and core[-2].tag in NOMINAL
    ):
        return [*core[:-1], Token("이", "VCP", last.begin, last.begin), last]
    if last and _says_it_is(core):
        end = last.stop
        return [*core, Token("이", "VCP", end, end), Token("야", "EF", end, end)]
    if (
        last
        and last.tag == "NNP"
        and last.form.endswith("야")
        and len(last.form) > 2
        and any(t.tag in ("JX", "JKS") for t in core[:-1])
    ):
        cut = last.stop - 1
        name = Token(last.form[:-1], "NNP", last.begin, cut)
        return [*core[:-1], name, Token("이", "VCP", cut, cut), Token("야", "EF", cut, last.stop)]
    if (
        last
        and last.form == "나"
        and last.tag == "EF"
        and len(core) > 2
        and core[-2].tag == "VCP"
        and core[-3].stop < last.begin
    ):
        return [
            *core[:-2],
            Token("나", "VV", last.begin, last.stop),
            Token("어", "EF", last.stop, last.stop),
        ]  # "두드러기 나"
    if last and last.form == "가" and last.tag == "JKS" and len(core) > 1 and core[-2].stop < last.begin:
        return [*core[:-1], Token("가", "VV", last.begin, last.stop), Token("어", "EF", last.stop, last.stop)]
    return core


def _says_it_is(core: list[Token]) -> bool:
    """ "커피는 무조건 아이스", "맥북 쓰는 중": the copula left out, as it is in a chat."""
    last = core[-1]
    if last.form == "편" and last.tag == "NNB" and len(core) > 1:
        return core[-2].tag == "ETM"
    if last.form == "중" and last.tag == "NNB" and len(core) > 1:
        return core[-2].tag in ("ETM", "NNG")
    if last.form in ("째", "차") and len(core) > 2 and core[-2].form in ("년", "달", "개월", "주"):
        return True
    told = any(
        t.tag == "JX" and t.form in ("은", "는", "ᆫ") or t.tag == "JKB" and t.form == "보다" for t in core
    )
    return (
        told
        and (last.tag in ("NNG", "XSN", "NNP", "SL") or last.tag == "NR" and last.form.endswith("째"))
        and not any(t.tag in ("EF", "EC", "VCP") for t in core)
    )
