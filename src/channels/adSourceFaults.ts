// SPDX-License-Identifier: Apache-2.0
// Faults of an ad source that a JSON schema cannot express: which fields it has depends on its type. Accepts any value, as
// channelFaults does. Whether a client certificate can be used is left to its feature.
import { type FieldError, fieldError, pathTo } from '../errors.ts';
import type { AdSourceSettings } from './demand.ts';
import { type Fields, fieldsOf } from './fieldsOf.ts';
import { timeFaults } from './isIsoTime.ts';
import { labelFaults } from './labels.ts';
import { headerFaults, hostFaults } from './requestFaults.ts';
import { urlFaults } from './urlFaults.ts';

export type AdSourceType = AdSourceSettings['type'];

const requested = ['url', 'headers', 'timeoutMs', 'maxPerSecond', 'clientCertificate'];
/** The fields of each type in addition to those of all. */
export const adSourceFields: Readonly<Record<AdSourceType, readonly string[]>> = {
  vast: [...requested, 'method', 'params'],
  openrtb: [...requested, 'template', 'gzip', 'currency', 'floor', 'floorPerSecond'],
  house: ['creatives'],
};
const needed = { vast: 'url', openrtb: 'url', house: 'creatives' } as const;
const typed = new Set(Object.values(adSourceFields).flat());

/** Characters of JSON. */
const MAX_TEMPLATE = 100 * 1024;

function typeFaults(fields: Fields): FieldError[] {
  const { type } = fields;
  if (typeof type !== 'string' || !Object.hasOwn(needed, type)) return [];
  const its = type as AdSourceType;
  const missing = needed[its];
  const known = adSourceFields[its];
  const others = Object.keys(fields).filter((name) => typed.has(name) && !known.includes(name));
  const message = `must be omitted for the type "${its}", whose fields are ${known.join(', ')}. Remove it, or change type`;
  return [
    ...(fields[missing] === undefined
      ? [fieldError('required', `/${missing}`, `is required for the type "${its}"`, { missingProperty: missing })]
      : []),
    ...others.map((name) => fieldError('type', pathTo('', name), message)),
  ];
}

function creativeFaults(creative: unknown, index: number): FieldError[] {
  const path = `/creatives/${index}`;
  const { url, from, to } = fieldsOf(creative);
  const faults = [
    ...urlFaults(url, `${path}/url`),
    ...timeFaults(from, `${path}/from`),
    ...timeFaults(to, `${path}/to`),
  ];
  if (faults.length > 0 || typeof from !== 'string' || typeof to !== 'string' || Date.parse(from) < Date.parse(to))
    return faults;
  return [
    fieldError(
      'range',
      `${path}/to`,
      `must be after from, which is ${JSON.stringify(from)}; got ${JSON.stringify(to)}`,
    ),
  ];
}

function templateFaults(template: unknown): FieldError[] {
  const { length } = JSON.stringify(template) ?? '';
  if (length <= MAX_TEMPLATE) return [];
  const message = `must have at most ${MAX_TEMPLATE} characters as JSON; got ${length}`;
  return [fieldError('maxLength', '/template', message, { limit: MAX_TEMPLATE })];
}

/** @param body the request body, of any type */
export function adSourceFaults(body: unknown): FieldError[] {
  const fields = fieldsOf(body);
  const { url, headers, labels, template, creatives, clientCertificate } = fields;
  return [
    ...typeFaults(fields),
    ...urlFaults(url, '/url'),
    ...headerFaults(headers, '/headers'),
    ...labelFaults(labels, '/labels'),
    ...templateFaults(template),
    ...hostFaults(fieldsOf(clientCertificate).hosts, '/clientCertificate/hosts'),
    ...(Array.isArray(creatives) ? creatives.flatMap(creativeFaults) : []),
  ];
}
