/** Lets editors check the config and complete it as it is written. */
export const SCHEMA_LINE = '# yaml-language-server: $schema=./node_modules/troupe/dist/config.schema.json\n'

/** What stands in a config, commented out or not, until the environment says it better. */
const STANDS: readonly (readonly [variable: string, key: string, pattern: RegExp])[] = [
  ['OPENAI_BASE_URL', 'base_url', /(# )?base_url: https:\/\/api\.openai\.com\/v1\b/],
  ['OPENAI_MODEL', 'model', /\bmodel: gpt-5-mini\b/],
]

/**
 * The config with the model that `troupe run` uses without one, so that nothing changes until the file is edited, and
 * the variables that name this model.
 */
export const takeOver = (
  config: string,
  env: Readonly<Record<string, string | undefined>>,
): { readonly config: string; readonly taken: readonly string[] } => {
  const set = STANDS.filter(([variable]) => env[variable])
  return {
    config: set.reduce((text, [variable, key, stands]) => text.replace(stands, () => `${key}: $${variable}`), config),
    taken: set.map(([variable]) => variable),
  }
}

/** A config to begin with: what most change first, with a word on each. */
export const STARTER_CONFIG = `\
# What Troupe's agents run on. \`troupe check\` looks this file over, \`troupe init --full\` writes every key there is.

models: # the first is used unless a run or an agent names another
  - name: main
    model: gpt-5-mini
    # base_url: https://api.openai.com/v1 # any endpoint for chat completions; left out: https://api.openai.com/v1
    api_key: $OPENAI_API_KEY # looked up in the environment when the model is used; null where none is needed

lead: # the agent that takes your prompt
  max_turns: 200 # answers of the model
  timeout_seconds: 3600

# token_budget: # of the lead and all its subagents together; none without this
#   max_tokens: 1000000

subagents:
  max_concurrent: 3 # at once in a run
  max_total_per_run: 6
  timeout_seconds: 1800 # for one task
  custom_agents: # what the lead can call beside general-purpose; \`troupe subagents\` lists them all
    reviewer:
      description: Looks for bugs in files it is given, and says where they are # its first line is shown to the lead
      system_prompt: |
        You review code. Read the files you are given, look for mistakes that matter, and answer with a list:
        file and line, what is wrong, and how to put it right.
      tools: [ls, read_file, glob, grep]
      max_turns: 30

tools: # LangChain tools of your own, each in a process of its own
#  - name: lookup
#    use: ./tools/lookup.mjs#lookup # module#export, from this file's folder
#    timeout_seconds: 30
`
