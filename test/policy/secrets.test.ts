import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSecretName, mask, maskable, secretsIn } from '../../src/policy/secrets.ts'

for (const name of [
  ...['OPENAI_API_KEY', 'MY_SERVICE_PASS', 'GH_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'PGPASSWORD', 'X_CREDENTIALS'],
  ...['SENTRY_DSN', 'DATABASE_URL', 'REDIS_URL', 'GH_PAT', 'github_token'],
]) {
  test(`${name} names a secret`, () => assert.is(isSecretName(name), true))
}

for (const name of ['PATH', 'HOME', 'LANG', 'TMPDIR', 'EDITOR', 'PWD', 'PATTERN', 'COMPATIBLE', 'BASE_URL']) {
  test(`${name} names none`, () => assert.is(isSecretName(name), false))
}

test('the secrets of an environment are known by name and by form', () =>
  assert.equal(
    secretsIn({
      API_KEY: 'sk-123456789',
      HOME: '/root',
      GONE_TOKEN: undefined,
      // A word that outputs need.
      PGPASSWORD: 'postgres',
      https_proxy: 'http://user:s3cret-pw@proxy.test:8080/',
      http_proxy: 'http://proxy.test:8080',
    }),
    ['sk-123456789', 's3cret-pw'],
  ))

test('what is short is not looked for, and what holds another comes first', () =>
  assert.equal(maskable(['abcdefgh', 'short', 'xabcdefghx', 'abcdefgh']), ['xabcdefghx', 'abcdefgh']))

test('every occurrence is masked, whatever signs it has', () =>
  assert.is(mask('a $&.*+ b $&.*+.abc c', maskable(['$&.*+.abc', '$&.*+'])), 'a $&.*+ b [redacted] c'))

test.run()
