"""Gates as JUnit XML, for CI systems. The modules `junit.py` in the folders use it."""

import re
from xml.etree import ElementTree as ET

from gapfinder.gates.gate import GateResult, line
from gapfinder.units import clean_text

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, section 2.2


def junit(command: str, traces: list[str], gates: list[GateResult]) -> str:
    """A JUnit report with one test suite for the command, and a test case for each gate."""
    failed = str(sum(not gate.passed for gate in gates))
    name = _text(" ".join(["gapfinder", command, *traces]))
    root = ET.Element("testsuites", tests=str(len(gates)), failures=failed)
    suite = ET.SubElement(root, "testsuite", name=name, tests=str(len(gates)), failures=failed, errors="0", skipped="0")
    for gate in gates:
        case = ET.SubElement(suite, "testcase", classname=f"gapfinder.{command}", name=_text(gate.gate))
        if gate.passed:
            ET.SubElement(case, "system-out").text = _text(gate.result)
        else:
            ET.SubElement(case, "failure", message=_text(gate.result), type="gate").text = f"{name}\n{_text(line(gate))}"
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _text(text: str) -> str:
    return _NO_XML.sub("�", clean_text(text))
