// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document as one HTML page, without scripts or external resources.
import { escapeText } from '../../../xml/write.ts';
import type { OpenApi, Operation } from './openApi.ts';
import type { Parameter } from './parametersOf.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
};

const style = `
:root{color-scheme:light dark;--line:#8884;--soft:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:1.5rem}
h1,h2{line-height:1.2}h2{margin-top:2.5rem;text-transform:capitalize}
code,pre{font:14px/1.5 ui-monospace,monospace}pre{background:var(--soft);padding:.75rem;overflow-x:auto;border-radius:4px}
details{overflow-x:auto;border:1px solid var(--line);border-radius:4px;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer}summary b{display:inline-block;min-width:5.5rem}summary span{opacity:.75;margin-left:.5rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
nav a{display:inline-block;margin-right:1rem;text-transform:capitalize}`;

/** Text with code between backticks, as in Markdown. */
const prose = (text: string) => escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>');
const code = (text: string) => `<code>${escapeText(text)}</code>`;
const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

function typeOf(schema: Schema): string {
  if (schema.$ref) return `<a href="#${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`;
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  if (schema.enum) return schema.enum.map((value) => code(String(value))).join(' or ');
  return [schema.type ?? 'any'].flat().join(' or ');
}

const limits: readonly (readonly [keyword: string, label: string])[] = [
  ['minimum', 'Minimum'],
  ['exclusiveMinimum', 'Greater than'],
  ['maximum', 'Maximum'],
  ['maxLength', 'Maximum length'],
  ['minItems', 'Minimum items'],
  ['maxItems', 'Maximum items'],
  ['maxProperties', 'Maximum fields'],
];

function remarks(schema: Schema): string {
  const stated = limits
    .filter(([keyword]) => schema[keyword] !== undefined)
    .map(([keyword, label]) => `${label}: ${schema[keyword]}.`);
  const fallback = schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}.`];
  return prose([schema.description, ...stated, ...fallback].filter(Boolean).join(' '));
}

/** Nested fields follow their parent, with the path to them as prefix. */
function fieldRows(schema: Schema, before = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const isRequired = schema.required?.includes(name) ? ' *' : '';
    const row = `<tr><td>${code(before + name)}${isRequired}</td><td>${typeOf(field)}</td><td>${remarks(field)}</td></tr>`;
    const below = field.items?.properties
      ? fieldRows(field.items, `${before}${name}[].`)
      : fieldRows(field, `${before}${name}.`);
    return [row, ...below];
  });
}

const table = (head: readonly string[], rows: readonly string[]): string =>
  rows.length === 0 ? '' : `<table><tr>${head.map((text) => `<th>${text}</th>`).join('')}</tr>${rows.join('')}</table>`;

const parameterRow = ({ name, in: place, required, schema, description }: Parameter): string =>
  `<tr><td>${code(name)}${required ? ' *' : ''}</td><td>${place}, ${typeOf(schema)}</td><td>${remarks({ ...schema, ...(description ? { description } : {}) })}</td></tr>`;

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

const takesAdminKey = ({ 'x-required-scope': scope }: Operation): boolean => scope !== undefined;

/** The example as a curl command; readers set `$BASE_URL` or `$LIVE`, and `$KEY`. */
function command(method: string, path: string, operation: Operation): string {
  const { parameters, requestBody, servers } = operation;
  const sample = ({ example }: Parameter) => encodeURIComponent(example ?? 'ID');
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, sample(parameter)), path);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.example !== undefined)
    .map((parameter) => `${parameter.name}=${sample(parameter)}`);
  const [type, content] = Object.entries((requestBody?.content ?? {}) as Content)[0] ?? [];
  const base = servers === undefined ? '$BASE_URL' : '$LIVE';
  const parts = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${base}${filled}${query.length ? `?${query.join('&')}` : ''}"`,
    ...(takesAdminKey(operation) ? ['-H "x-api-key: $KEY"'] : []),
    ...(content ? [`-H "content-type: ${type}"`, `-d '${JSON.stringify(content.example, null, 2)}'`] : []),
  ];
  return parts.join(' \\\n  ');
}

/** Which port serves an operation, and which key it needs. */
function access(operation: Operation): string {
  const { servers, security = [] } = operation;
  const port = servers === undefined ? 'Administrative port' : servers.map(({ description }) => description).join(', ');
  if (takesAdminKey(operation))
    return `${port}. Requires the x-api-key header${security.length > 1 ? ', or the key as a bearer token' : ''}.`;
  if (security.length === 0) return `${port}. No API key required.`;
  return `${port}. Requires the key of the channel${security.length > 1 ? ' to open a session' : ''}.`;
}

function operationBlock(method: string, path: string, operation: Operation): string {
  const [body] = Object.values((operation.requestBody?.content ?? {}) as Content);
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const types = Object.entries((response.content ?? {}) as Content).map(([type, { schema }]) =>
      type === 'application/json' ? typeOf(schema) : code(type),
    );
    return `<tr><td>${status}</td><td>${prose(String(response.description))}</td><td>${types.join(', ')}</td></tr>`;
  });
  return [
    `<details id="${operation.operationId}"><summary><b>${method.toUpperCase()}</b>${code(path)}<span>${escapeText(operation.summary)}</span></summary>`,
    operation.description ? `<p>${prose(operation.description)}</p>` : '',
    `<p>${access(operation)}</p>`,
    table(['Parameter', 'Type', 'Description'], operation.parameters.map(parameterRow)),
    body ? `<p>Body: ${typeOf(body.schema)}</p>` : '',
    `<pre>${escapeText(command(method, path, operation))}</pre>`,
    table(['Status', 'Description', 'Body'], responses),
    '</details>',
  ].join('\n');
}

/** The navigation, the operations and the schemas. */
export function docsContent(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = document.tags.map(({ name, description }) => {
    const blocks = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, path, operation }) => operationBlock(method, path, operation));
    return `<h2 id="${name}">${name}</h2>\n<p>${prose(description)}</p>\n${blocks.join('\n')}`;
  });
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const rows = table(['Field', 'Type', 'Description'], fieldRows(schema as Schema));
    return `<details open id="${name}"><summary>${name}</summary>${rows}</details>`;
  });
  return `<nav>${document.tags.map(({ name }) => `<a href="#${name}">${name}</a>`).join('')}<a href="#schemas">schemas</a></nav>
${groups.join('\n')}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}`;
}

/** @param urls of the two ports. @param content of docsContent */
export function docsPage(
  { info }: OpenApi,
  urls: { readonly admin: string; readonly live: string },
  content: string,
): string {
  const title = escapeText(String(info.title));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}</style></head><body>
<h1>${title}</h1>
<p>${escapeText(String(info.description))} Machine-readable version: <a href="openapi.json">openapi.json</a>. Fields marked with * are required.</p>
<pre>${escapeText(`BASE_URL=${urls.admin}\nLIVE=${urls.live}`)}</pre>
${content}
</body></html>
`;
}
