// The direction of imports, as docs/data-flow.md draws it:
//   cli -> app -> api -> hydrate, view, cache, store; ingest -> protocol, store; view never store; store never api.

/** A layer may import itself and the layers listed, nothing else of src. */
const layers = {
  'src/config': [],
  'src/cache': ['src/db', 'src/store', 'src/schema'],
  'src/protocol': [],
  'src/schema': ['src/protocol'],
  'src/db': ['src/config'],
  'src/store': ['src/db', 'src/protocol', 'src/config'],
  'src/view': ['src/schema', 'src/protocol', 'src/hydrate'],
  'src/hydrate': ['src/cache', 'src/db', 'src/store', 'src/protocol'],
  'src/ingest': ['src/db', 'src/store', 'src/protocol', 'src/config'],
  'src/signer': ['src/db', 'src/store', 'src/protocol', 'src/config', 'src/schema', 'src/onchain'],
  'src/sign-in': ['src/db', 'src/store', 'src/protocol', 'src/config', 'src/schema', 'src/onchain'],
  'src/delivery': [],
  // Tools know the interface and nothing behind it; `read_messages` encodes messages.
  'src/mcp': ['src/protocol'],
  'src/image': ['src/config', 'src/delivery'],
  'src/miniapp': [
    'src/protocol',
    'src/config',
    'src/schema',
    'src/db',
    'src/store',
    'src/delivery',
    'src/onchain',
    'src/crawl',
  ],
  'src/write': ['src/ingest', 'src/db', 'src/store', 'src/protocol'],
  'src/onchain': ['src/db', 'src/store', 'src/protocol', 'src/config', 'src/delivery', 'src/write'],
  'src/billing': ['src/db', 'src/store', 'src/config'],
  'src/event': [
    ...['src/db', 'src/store', 'src/protocol', 'src/config', 'src/schema', 'src/delivery'],
    ...['src/cache', 'src/hydrate', 'src/view'],
  ],
  'src/channel': [
    ...['src/db', 'src/store', 'src/protocol', 'src/config', 'src/signer', 'src/write', 'src/delivery'],
    // The mirror reads the list that `castellan import --channels` takes, too.
    'src/ingest/file',
  ],
  'src/crawl': ['src/db', 'src/store', 'src/protocol', 'src/schema', 'src/delivery', 'src/event'],
  'src/model': ['src/config', 'src/db', 'src/store', 'src/delivery'],
  'src/topic': ['src/db', 'src/store', 'src/protocol', 'src/schema', 'src/model'],
  'src/fname': [
    ...['src/db', 'src/store', 'src/protocol', 'src/config'],
    ...['src/ingest', 'src/onchain', 'src/delivery'],
  ],
  'src/account': [
    ...['src/db', 'src/store', 'src/protocol', 'src/config', 'src/schema', 'src/job', 'src/delivery'],
    ...['src/ingest', 'src/onchain', 'src/signer', 'src/write', 'src/fname'],
  ],
  'src/job': ['src/db', 'src/store', 'src/protocol'],
};

const folder = (name) => `^${name}/`;
/** Modules that every layer may use. */
const common = '^src/(bytes|clean-text|duration|error|hex|is-object|timeout|uuid|trace/tracer)\\.ts$';

const layered = Object.entries(layers).map(([from, allowed]) => ({
  name: `layer-${from.slice('src/'.length)}`,
  severity: 'error',
  comment: `${from} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other folder of src'} (and src/bytes.ts, clean-text.ts, duration.ts, error.ts, hex.ts, is-object.ts, timeout.ts, uuid.ts, trace/tracer.ts)`,
  from: { path: folder(from), pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [folder(from), common, ...allowed.map(folder)] },
}));

/** Within a layer: a folder may import itself and the folders listed. `.` is the layer's own files, beside its folders. */
const folders = {
  'src/store': {
    '.': [],
    query: ['.'],
    notification: ['.'],
    channel: ['.', 'query'],
    protocol: ['.', 'query'],
    hub: ['.', 'protocol'],
    access: ['.', 'protocol'],
    onchain: ['.', 'protocol', 'query'],
    stp: ['.', 'protocol'],
    billing: ['.'],
    miniapp: ['.'],
    crawl: ['.'],
    media: ['.'],
    event: ['.', 'access'],
    topic: ['.'],
    registry: ['.'],
    audit: ['.', 'protocol', 'query', 'channel'],
  },
  'src/ingest': {
    '.': [],
    kind: ['.'],
    channel: ['.'],
    pipeline: ['.', 'kind', 'channel'],
    hub: ['.', 'pipeline'],
    file: ['.', 'pipeline'],
  },
  'src/protocol': {
    wire: [],
    '.': ['wire'],
    channel: ['.', 'wire'],
    check: ['.', 'wire', 'channel'],
    event: ['.', 'wire'],
    'hub-json': ['.', 'wire'],
    verify: ['.', 'wire', 'check'],
  },
  'src/schema': {
    '.': [],
    social: ['.'],
    hub: ['.'],
    portal: ['.'],
    miniapp: ['.', 'social'],
    event: ['.', 'social'],
    onchain: ['.', 'social'],
    topic: ['.', 'social'],
    account: ['.', 'social', 'onchain'],
  },
  'src/onchain': {
    '.': [],
    artifact: [],
    rpc: ['.', 'artifact'],
    'log-search': ['.', 'rpc'],
    transaction: ['.'],
    token: ['.', 'rpc', 'log-search'],
    nft: ['.', 'artifact', 'transaction', 'rpc'],
    fungible: ['.', 'artifact', 'transaction', 'token', 'nft'],
    trade: ['.', 'rpc', 'log-search', 'token', 'transaction'],
    x402: ['.', 'rpc', 'token', 'transaction', 'registry'],
    payment: ['.', 'transaction', 'token'],
    stp: ['.', 'rpc', 'log-search', 'token'],
    local: ['.', 'artifact', 'rpc', 'token', 'stp'],
    registry: ['.'],
  },
  'src/channel': { '.': [], client: ['.'] },
  'src/billing': { plan: [], stripe: ['plan'], usage: ['plan'], '.': ['plan', 'stripe', 'usage'] },
  'src/cli': {
    terminal: [],
    option: ['terminal'],
    control: ['terminal'],
    diagnose: ['terminal'],
    dev: ['terminal'],
    command: ['dev', 'diagnose', 'option', 'terminal'],
    init: ['diagnose', 'terminal'],
    '.': ['command', 'control', 'dev', 'init', 'option', 'terminal'],
  },
  // A folder of a resource imports `http`, and those of other resources only where one builds on another.
  'src/api': { limit: [], http: ['limit'], cost: ['http', 'ban'], openapi: ['http', 'cost'] },
};

const path = (layer, name) => (name === '.' ? `^${layer}/[^/]+\\.ts$` : `^${layer}/${name}/`);

const inLayer = Object.entries(folders).flatMap(([layer, rules]) =>
  Object.entries(rules).map(([name, allowed]) => ({
    name: `folder-${layer.slice('src/'.length)}-${name === '.' ? 'root' : name}`,
    severity: 'error',
    comment: `${layer}/${name} may import ${allowed.length > 0 ? allowed.join(', ') : 'no other folder'} of ${layer}`,
    from: { path: path(layer, name), pathNot: '\\.test\\.ts$' },
    to: { path: `^${layer}/`, pathNot: [path(layer, name), ...allowed.map((one) => path(layer, one))] },
  })),
);

module.exports = {
  forbidden: [
    ...layered,
    ...inLayer,
    {
      name: 'no-cycle',
      severity: 'error',
      comment: 'Files in a cycle, of types too, can only be understood together',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-index',
      severity: 'error',
      comment: 'Import the module that defines the name; barrels hide where things live',
      from: {},
      to: { path: '/index\\.ts$', pathNot: 'node_modules' },
    },
    {
      name: 'protocol-is-pure',
      severity: 'error',
      comment: 'Decoding and conflict rules do no I/O; only the pool of verifying threads touches the runtime',
      from: { path: '^src/protocol/', pathNot: ['\\.test\\.ts$', '^src/protocol/verify/(pool|worker)'] },
      to: { path: '^(node:)?(fs|fs/promises|net|http|https|http2|dns|child_process|worker_threads)$' },
    },
    {
      name: 'sample-is-development-only',
      severity: 'error',
      comment: 'The sample network is started by the command line and by tests, never by the service itself',
      from: { path: '^src/', pathNot: ['^src/(cli|sample)/', '\\.test\\.ts$'] },
      to: { path: '^src/sample/' },
    },
    {
      name: 'only-db-talks-to-the-database',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/db/', '\\.test\\.ts$'] },
      to: { path: 'node_modules/(pg|@electric-sql/pglite)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'cli-is-the-edge',
      severity: 'error',
      comment: 'Nothing imports the command line',
      from: { path: '^src/', pathNot: ['^src/cli/'] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'app-is-the-root',
      severity: 'error',
      comment: 'Only the command line builds the service; its parts know nothing of how they are put together',
      from: { path: '^src/', pathNot: ['^src/(cli|app)/', '^src/app\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/app(/|\\.ts$)' },
    },
    {
      name: 'no-test-in-source',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^test/', '\\.test\\.ts$', '^scripts/', '^bench/', '^fault/'] },
    },
    {
      name: 'no-dev-dependency-in-source',
      severity: 'error',
      comment: 'but for the packages that scripts/library.mjs bundles',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/(@farcaster/(core|hub-nodejs)|@opentelemetry/[^/]+|stripe|m3u8-parser|cities\\.json)/',
      },
    },
    {
      name: 'no-chain-list',
      severity: 'error',
      comment: 'viem/chains is a list of every chain; those that are needed stand in onchain/network.ts',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/viem/.*/chains/' },
    },
    // Children of tests import the compiled service, which a fresh clone does not have yet.
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '/dist/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Packages of their own, which bring their own packages.
    exclude: { path: '^test/(compatibility|analytics)/programs/' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
