/**
 * Who may import whom. A layer may import itself; what is not named here may not be imported. So nobody imports worker,
 * services or tool-process: they are reached by URL.
 */
const mayImport = {
  'src/contract': ['node:worker_threads'],
  'src/control': ['src/contract'],
  'src/policy': ['src/contract'],
  machines: ['src/contract', 'src/policy', 'npm:xstate'],

  'src/models': ['src/contract', 'src/control', 'src/policy', 'src/tools', 'src/sandbox', 'node:', 'npm:@langchain/'],
  'src/tools': ['src/contract', 'src/control', 'src/policy', 'src/models', 'src/sandbox', 'node:'],
  'src/sandbox': ['src/contract', 'src/control', 'src/policy', 'src/models', 'src/tools', 'node:'],

  'src/config': ['src/contract', 'node:', 'npm:zod', 'npm:yaml', 'npm:import-meta-resolve'],
  'src/catalog': ['src/contract', 'src/config', 'src/policy', 'node:'],
  'src/skills': ['src/contract', 'src/config', 'src/policy', 'node:'],
  'src/memory': ['src/contract', 'src/config', 'src/policy', 'node:'],
  'src/runtime': [
    ...[
      'src/contract',
      'src/control',
      'src/policy',
      'machines',
      'src/config',
      'src/catalog',
      'src/skills',
      'src/memory',
    ],
    ...['src/tools/manifest.ts', 'src/tools/task-tool.ts', 'src/tools/user-tools.ts', 'node:'],
    ...['npm:piscina', 'npm:xstate', 'npm:import-meta-resolve', 'npm:@langchain/'],
  ],
  'src/index.ts': ['src/contract', 'src/runtime'],

  'src/worker': [
    ...['src/contract', 'src/control', 'src/policy', 'machines', 'src/models', 'src/tools', 'src/sandbox'],
    ...['node:', 'npm:xstate'],
  ],
  'src/services': ['src/contract', 'src/control', 'node:', 'npm:@modelcontextprotocol/', 'npm:@agentclientprotocol/'],
  'src/tool-process': ['src/contract', 'src/policy', 'src/tools', 'src/sandbox', 'node:', 'npm:@langchain/'],

  'src/cli': ['src/contract', 'src/runtime', 'src/index.ts', 'src/config', 'node:', 'npm:string-width'],
  'src/http': ['src/contract', 'src/runtime', 'src/index.ts', 'node:', 'npm:hono', 'npm:@hono/'],
  'src/acp': ['src/contract', 'src/runtime', 'src/index.ts', 'node:', 'npm:@agentclientprotocol/'],
  'src/testing': ['src/contract', 'node:'],
  'src/demo': ['src/contract', 'src/testing', 'node:'],
}

const literal = (text) => text.replaceAll('.', '\\.')

/** A pattern for what one word of the table stands for. Node's own modules are told by their type. */
const pattern = (word) => {
  if (word === 'node:worker_threads') return '^worker_threads$'
  if (word.startsWith('npm:')) return `node_modules/${literal(word.slice(4))}${word.endsWith('/') ? '' : '/'}`
  return word.endsWith('.ts') ? `^${literal(word)}$` : `^${word}/`
}

const layers = Object.entries(mayImport).map(([layer, targets]) => ({
  name: `${layer} may import only ${targets.join(', ') || 'nothing'}`,
  severity: 'error',
  from: { path: pattern(layer) },
  to: {
    couldNotResolve: false,
    pathNot: [layer, ...targets.filter((word) => word !== 'node:')].map(pattern),
    ...(targets.includes('node:') && { dependencyTypesNot: ['core'] }),
  },
}))

export default {
  forbidden: [
    ...layers,
    {
      name: 'every file of src belongs to a layer',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(mayImport).map(pattern) },
      to: {},
    },
    {
      name: 'the contract knows of Node only the type of a port',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^worker_threads$', dependencyTypesNot: ['type-only', 'type-import'] },
    },
    {
      name: 'the pool of tool processes knows only the contract',
      severity: 'error',
      from: { path: '^src/runtime/tool-processes/' },
      to: { path: '^(src|machines)/', pathNot: '^src/(contract|runtime/tool-processes)/' },
    },
    {
      name: 'LangChain is loaded only when a tool needs it',
      severity: 'error',
      from: { path: '^src/(runtime|tool-process)/' },
      to: { path: 'node_modules/@langchain/', dynamic: false, dependencyTypesNot: ['type-only', 'type-import'] },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'imports resolve', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|bench/node_modules)/' },
    // A type is an import too: it says who knows whom.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
