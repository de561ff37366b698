// The ad variables of a session: what a player adds to the opening address. Each session stores them and each ad request
// may repeat them, so they are bounded; what exceeds a bound is refused by name, because a consent string that was cut
// off is worse than none.
import { type FieldError, fieldError, validationError } from '../../errors.ts';

const MOST_PARAMETERS = 64;
const LONGEST_NAME = 100;
const LONGEST_VALUE = 2048;
/** Bytes of all of them as they are stored: JSON in UTF-8. */
const MOST_BYTES = 4096;

/** What belongs to the opening itself: it never reaches an ad server. */
const reserved = new Set(['api-key', 'sid', 'start', 'exp', 'sig']);

const pointer = (name: string): string => `/${name.slice(0, LONGEST_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`;

function faultsOf(parameters: Readonly<Record<string, string>>): FieldError[] {
  const entries = Object.entries(parameters);
  const faults: FieldError[] = [];
  const refuse = (keyword: string, path: string, limit: number, wanted: string, came: number) =>
    faults.push(fieldError(keyword, path, `must have at most ${limit} ${wanted}; got ${came}`, { limit }));
  if (entries.length > MOST_PARAMETERS) refuse('maxProperties', '', MOST_PARAMETERS, 'parameters', entries.length);
  for (const [name, value] of entries) {
    const path = pointer(name);
    if (name.length > LONGEST_NAME) refuse('maxLength', path, LONGEST_NAME, 'characters in its name', name.length);
    if (value.length > LONGEST_VALUE) refuse('maxLength', path, LONGEST_VALUE, 'characters', value.length);
  }
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  if (bytes > MOST_BYTES) refuse('maxBytes', '', MOST_BYTES, 'bytes of parameters as JSON', bytes);
  return faults;
}

/**
 * Everything in the query that is not part of the opening itself; of a name that is repeated, the last value.
 * @throws {AppError} VALIDATION_ERROR that names every parameter that exceeds a bound
 */
export function openingParameters(query: URLSearchParams): Readonly<Record<string, string>> {
  const parameters: Record<string, string> = Object.create(null);
  for (const [name, value] of query) if (!reserved.has(name)) parameters[name] = value;
  const faults = faultsOf(parameters);
  if (faults.length === 0) return parameters;
  throw validationError('Invalid query', faults, 'the query');
}
