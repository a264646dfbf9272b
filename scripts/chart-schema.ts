/**
 * Writes test/chart/schema.json, against which the rendered chart is checked, from documents of the projects themselves:
 *
 *   tsx scripts/chart-schema.ts swagger.json CRD.yaml...
 *
 * `swagger.json` is `api/openapi-spec/swagger.json` of Kubernetes, each CRD a file of an operator (test/chart/README.md
 * says which). Unknown members become errors, as for `kubectl apply --validate=strict`; descriptions are left out.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { load } from 'js-yaml';

const KINDS = [
  'io.k8s.api.apps.v1.Deployment',
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  'io.k8s.api.batch.v1.Job',
  'io.k8s.api.core.v1.Service',
  'io.k8s.api.core.v1.ServiceAccount',
  'io.k8s.api.networking.v1.Ingress',
  'io.k8s.api.networking.v1.NetworkPolicy',
  'io.k8s.api.policy.v1.PodDisruptionBudget',
];

type Schema = { [member: string]: unknown };
interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Members with whose names a schema says what it requires; below `properties`, names are those of the data. */
const KEPT = new Set([
  'type',
  'properties',
  'items',
  'additionalProperties',
  'required',
  'enum',
  'pattern',
  '$ref',
  'format',
]);

const strict = (schema: Schema): Schema => {
  // https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
  if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string')
    return { type: ['integer', 'string'] };
  const kept: Schema = {};
  for (const [name, value] of Object.entries(schema)) {
    if (!KEPT.has(name) || (name === 'format' && value === 'int-or-string')) continue;
    if (name === 'format') continue;
    if (name === 'properties' && isObject(value))
      kept[name] = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strict(one as Schema)]));
    else kept[name] = isObject(value) && !Array.isArray(value) ? strict(value) : value;
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema;
  if ('properties' in kept && !isOpen) kept.additionalProperties = false;
  return kept;
};

/** Quantities and the like are strings or numbers, whatever the document says. */
const OPEN_TYPES: Readonly<Record<string, Schema>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: ['string', 'number'] },
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { type: ['integer', 'string'] },
  'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry': {},
};

const METADATA = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const [swaggerFile, ...crdFiles] = process.argv.slice(2);
if (swaggerFile === undefined) throw new Error('Usage: tsx scripts/chart-schema.ts swagger.json CRD.yaml...');
const { definitions } = JSON.parse(await readFile(swaggerFile, 'utf8')) as { definitions: Record<string, Schema> };

const written: Record<string, Schema> = {};
const addDefinition = (name: string): void => {
  if (name in written) return;
  const schema = OPEN_TYPES[name] ?? strict(definitions[name] as Schema);
  written[name] = schema;
  for (const [, other] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) addDefinition(other as string);
};

const kinds: Record<string, Schema> = {};
for (const name of KINDS) {
  addDefinition(name);
  const [gvk] = (definitions[name] as Schema)['x-kubernetes-group-version-kind'] as GroupVersionKind[];
  if (gvk === undefined) throw new Error(`${name} is no kind.`);
  kinds[`${gvk.group === '' ? '' : `${gvk.group}/`}${gvk.version} ${gvk.kind}`] = { $ref: `#/definitions/${name}` };
}
addDefinition(METADATA);

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}
for (const file of crdFiles) {
  const { group, names, versions } = (load(await readFile(file, 'utf8')) as Crd).spec;
  for (const { name, schema } of versions) {
    const whole = strict(schema.openAPIV3Schema);
    const properties = { ...(whole.properties as Schema), metadata: { $ref: `#/definitions/${METADATA}` } };
    const { status: _, ...withoutStatus } = properties as Schema;
    kinds[`${group}/${name} ${names.kind}`] = { ...whole, properties: withoutStatus };
  }
}

await writeFile(
  new URL('../test/chart/schema.json', import.meta.url),
  `${JSON.stringify({ kinds, definitions: written })}\n`,
);
