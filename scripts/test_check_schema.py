"""The schema accepts what is right and refuses what is wrong; the checker refuses a schema it does not understand."""

import json
import tomllib
import unittest

import check_schema

HEAD = 'linkwork = 1\nspace = "planar"\ngravity = [0, 0]\n'


class Schema(unittest.TestCase):
    def setUp(self) -> None:
        self.validator = check_schema.Validator(json.loads(check_schema.SCHEMA.read_text(encoding="utf-8")))

    def findings(self, text: str) -> list[str]:
        return self.validator.findings(tomllib.loads(HEAD + text))

    def test_accepts_every_form(self) -> None:
        self.assertEqual(self.findings('''
[repeat]
i = { from = 1, to = "N" }
[include]
left = { file = "leg.toml", at = [0, "1 m"], angle = 1, parameters = { L = 2 } }
[bodies]
"a{i}" = { rod = ["A", [1, "2 mm"]], mass = 1 }
b = { disc = { at = "B", radius = 1 }, density = "3 kg/m^2", thickness = 0.1 }
c = { mass = 1, inertia = 1, frames = { f = { at = [0, 0], angle = "30 deg" } } }
[joints]
J = { hinge = ["a", "b.tip"], at = "P" }
[initial]
J.rate = 3
"a.x" = "2 m"
[outputs]
p = "a.x"
q = { value = "a.x", unit = "mm" }
'''), [])

    def test_refuses_what_is_wrong(self) -> None:
        self.assertEqual(self.findings("[bodies]\nb = { mass = 1 }\n"),
                         ["bodies.b: fits none of the forms; the nearest: bodies.b: rod is missing"])
        self.assertEqual(self.findings("mas = 1\n"), ["the file: unknown key mas"])
        self.assertEqual(self.findings("[points]\nA = [1, 2, 3, 4]\n"),
                         ["points.A: fits none of the forms; the nearest: points.A: has 4 elements"])
        self.assertEqual(self.findings("[simulate]\nsamples = 0\n"), ["simulate.samples: must be at least 1"])
        self.assertEqual(self.validator.findings({"linkwork": 2, "space": "planar"}), ["linkwork: must be 1"])
        self.assertEqual(self.validator.findings({"linkwork": 1}), ["the file: space is missing"])
        self.assertEqual(self.findings("check_horizon = true\n"), ["check_horizon: not of type number or string"])

    def test_refuses_a_schema_with_unknown_words(self) -> None:
        with self.assertRaises(ValueError):
            check_schema.Validator({"properties": {"a": {"maxLength": 3}}})


if __name__ == "__main__":
    unittest.main()
