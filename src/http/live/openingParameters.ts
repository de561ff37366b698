// SPDX-License-Identifier: Apache-2.0
// The ad variables of a session: the query parameters that a player adds to the playback URL. Each session stores them and
// each ad request may repeat them, so their size is limited. Values over the limit are rejected rather than cut off: a
// truncated consent string would be wrong.

import { PREVIEW_MARK, PREVIEW_PARAMETER } from '../../ads/request/preview.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../errors.ts';

const MAX_PARAMETERS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2048;
/** Of all parameters together as they are stored: JSON in UTF-8. */
const MAX_BYTES = 4096;

/** Parameters of the playback URL itself. They are never sent to an ad server. */
export const reservedParameters: ReadonlySet<string> = new Set(['api-key', 'sid', 'start', 'exp', 'sig']);

/** A JSON Pointer to a parameter. */
export const pointer = (name: string): string =>
  `/${name.slice(0, MAX_NAME_LENGTH).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** @returns a fault for each limit that the parameters exceed */
export function parameterFaults(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters);
  const faults: FieldError[] = [];
  const addFault = (keyword: string, path: string, limit: number, unit: string, actual: number) =>
    faults.push(fieldError(keyword, path, `must have at most ${limit} ${unit}; got ${actual}`, { limit }));
  if (entries.length > MAX_PARAMETERS) addFault('maxProperties', '', MAX_PARAMETERS, 'parameters', entries.length);
  for (const [name, value] of entries) {
    const path = pointer(name);
    if (name.length > MAX_NAME_LENGTH)
      addFault('maxLength', path, MAX_NAME_LENGTH, 'characters in its name', name.length);
    if (value.length > MAX_VALUE_LENGTH) addFault('maxLength', path, MAX_VALUE_LENGTH, 'characters', value.length);
  }
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  if (bytes > MAX_BYTES) addFault('maxBytes', '', MAX_BYTES, 'bytes of parameters as JSON', bytes);
  return faults;
}

/**
 * All parameters that are not reserved. Of a repeated name, the last value is used.
 * @param isToken whether a token marks the session as a preview
 * @throws {AppError} VALIDATION_ERROR with every parameter that exceeds a limit, FORBIDDEN
 */
export function openingParameters(
  query: URLSearchParams,
  isToken: (token: string) => boolean = () => false,
): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of query) if (!reservedParameters.has(name)) parameters[name] = value;
  if (Object.hasOwn(parameters, PREVIEW_PARAMETER)) {
    if (!isToken(parameters[PREVIEW_PARAMETER]!))
      throw new AppError(
        'FORBIDDEN',
        `${PREVIEW_PARAMETER} is not a valid token of this channel, or it has expired. Start the preview again.`,
      );
    parameters[PREVIEW_PARAMETER] = PREVIEW_MARK;
  }
  const faults = parameterFaults(parameters);
  if (faults.length > 0) throw validationError('Invalid query', faults, 'the query');
  return parameters;
}
