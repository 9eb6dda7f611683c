/** What a user can do about a model call that failed, by what the message says of it; the first that fits. */
const WAYS: readonly (readonly [RegExp, string])[] = [
  [
    /: its use cannot be loaded: /,
    'See `use` of the model in the config, `package#Export` or `./file.mjs#export`: `troupe check` loads it and names what is wrong.',
  ],
  [
    /HTTP 40[13]\b/,
    'The endpoint does not take the key: see `api_key` of the model in the config (OPENAI_API_KEY without one).',
  ],
  [
    /HTTP 404\b.*\bmodel\b.*(exist|found)/i,
    'The endpoint has no such model: see `model` in the config (OPENAI_MODEL without one), or choose another entry with --model.',
  ],
  [
    /HTTP 40[45]\b|web page|no message|without any content|endpoint moved/,
    'Nothing there speaks chat completions: `base_url` in the config (OPENAI_BASE_URL without one) mostly ends in /v1, without /chat/completions.',
  ],
  [
    /must begin with http/,
    'Correct `base_url` in the config, or the variable it names (OPENAI_BASE_URL without one), as in http://127.0.0.1:8080/v1.',
  ],
  [/see base_url/, 'See `base_url` in the config (OPENAI_BASE_URL without one), and whether the endpoint is up.'],
  [
    /quota|billing|credit|HTTP 402\b/i,
    'The account has nothing left to spend: see its plan with the provider, or choose another model with --model.',
  ],
  [/HTTP 429\b/, 'The provider wants fewer requests: wait a while, or lower --max-concurrent.'],
  [
    /HTTP 5\d\d\b|cut short|did not|closed the connection/,
    'The endpoint is in trouble: run it again in a while, or choose another model with --model.',
  ],
]

const ELSE =
  'See `base_url`, `api_key` and `model` of the model in the config (OPENAI_BASE_URL, OPENAI_API_KEY and OPENAI_MODEL without one).'

export const wayOutOfModelTrouble = (message: string): string =>
  WAYS.find(([pattern]) => pattern.test(message))?.[1] ?? ELSE
