// SPDX-License-Identifier: Apache-2.0
// The body of a request that opens a session for an MRSS feed: `url` and `deliverytypes`; every other field is a variable for
// the ad server.
import { PREVIEW_PARAMETER } from '../../../ads/request/preview.ts';
import { isHttpUrl } from '../../../channels/isHttpUrl.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../../errors.ts';
import type { Session } from '../../../sessions/session.ts';
import { parameterFaults, pointer, reservedParameters } from '../openingParameters.ts';

export type FeedRequest = {
  /** Of the feed. */
  readonly url: string;
  readonly format: Session['format'];
  readonly parameters: Session['parameters'];
};

const MAX_URL_LENGTH = 8192;

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 100));

function urlFaults(url: unknown): FieldError[] {
  if (url === undefined) return [fieldError('required', '/url', 'is required', { missingProperty: 'url' })];
  if (typeof url === 'string' && url.length <= MAX_URL_LENGTH && isHttpUrl(url)) return [];
  return [fieldError('url', '/url', `must be the http or https URL of an MRSS feed; got ${shown(url)}`)];
}

function readFormat(types: unknown): Session['format'] | FieldError {
  const only = Array.isArray(types) && types.length === 1 ? types[0] : undefined;
  if (only === 'hls' || only === 'dash') return only;
  const params = { allowedValues: [['dash'], ['hls']] };
  return fieldError('enum', '/deliverytypes', `must be ["dash"] or ["hls"]; got ${shown(types)}`, params);
}

/** Numbers and booleans become text, as in a query. Null is the same as an omitted field. */
function readVariables(fields: Readonly<Record<string, unknown>>): {
  parameters: Record<string, string>;
  faults: FieldError[];
} {
  const parameters: Record<string, string> = Object.create(null);
  const faults: FieldError[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (reservedParameters.has(name) || name === PREVIEW_PARAMETER)
      faults.push(fieldError('reserved', pointer(name), 'is not a variable; send it as a header or in the query'));
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      parameters[name] = String(value);
    else if (value !== null) {
      const message = `must be text, a number or a boolean; got ${Array.isArray(value) ? 'an array' : 'an object'}`;
      faults.push(fieldError('type', pointer(name), message));
    }
  }
  return { parameters, faults: [...faults, ...parameterFaults(parameters)] };
}

/**
 * @param body JSON, not yet validated
 * @throws {AppError} MALFORMED without a body, VALIDATION_ERROR with every invalid field
 */
export function readFeedRequest(body: unknown): FeedRequest {
  if (body === undefined)
    throw new AppError('MALFORMED', 'Missing request body. Send {"url": "…", "deliverytypes": ["hls"]} as JSON.');
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw validationError('Invalid request', [fieldError('type', '', `must be an object; got ${shown(body)}`)]);
  const { url, deliverytypes, ...variables } = body as Readonly<Record<string, unknown>>;
  const format = readFormat(deliverytypes);
  const { parameters, faults: ofVariables } = readVariables(variables);
  const faults = [...urlFaults(url), ...(typeof format === 'string' ? [] : [format]), ...ofVariables];
  if (faults.length > 0 || typeof format !== 'string') throw validationError('Invalid request', faults);
  return { url: url as string, format, parameters };
}
