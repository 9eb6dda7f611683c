import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { promptLine } from '../../src/policy/escape.ts'

const rows: readonly [rule: string, text: string, line: string][] = [
  ['tags and entities are text; quotes stay', '<b a="1">x & \'y\'</b>', '&lt;b a="1"&gt;x &amp; \'y\'&lt;/b&gt;'],
  ['ends of lines of every kind are a space', 'a\nb\r\nc\u2028d\u2029e\vf\fg\u0085h', 'a b c d e f g h'],
  ['control characters are a space', 'a\u0000\u001b[2Jb\u009fc', 'a [2Jb c'],
  ['what reorders or hides text goes', 'a\u202eb\u2066c\u200bd\u{e0041}e\u00adf\ufeffg', 'abcdefg'],
  ['joiners stay, since letters need them', 'نمی\u200cخواهم 👩\u200d💻', 'نمی\u200cخواهم 👩\u200d💻'],
  ['half a character is made whole', 'a\ud800b', 'a\ufffdb'],
  ['white space around is none of it', ' \t a  b \n', 'a b'],
]

for (const [rule, text, line] of rows) test(rule, () => assert.is(promptLine(text), line))

test.run()
