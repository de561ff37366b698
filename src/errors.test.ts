// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { AppError, describeError, errorBody, fieldError, validationError } from './errors.ts';

test('a validation error names the first field with dots and counts the others', () => {
  const faults = [
    fieldError('minimum', '/contents/0/a~1b', 'must be at least 1; got 0'),
    fieldError('required', '/id', 'is required'),
  ];
  const error = validationError('Invalid playlist', faults);
  expect(error).toMatchObject({ kind: 'VALIDATION_ERROR', status: 422, data: faults });
  expect(error.message).toBe('Invalid playlist: contents.0.a/b must be at least 1; got 0. 1 more error in data.');
});

test('a fault of the whole value names the value', () => {
  const { message } = validationError('Invalid query', [fieldError('maxProperties', '', 'must be small')], 'the query');
  expect(message).toBe('Invalid query: the query must be small.');
});

test('causes are described and not part of the response', () => {
  const cause = new Error('connection refused.', { cause: 'port 5432' });
  const error = new AppError('UNAVAILABLE', 'The database is unavailable.', { cause });
  expect(describeError(error)).toBe('The database is unavailable: connection refused: port 5432');
  expect(JSON.stringify(errorBody(error))).not.toContain('refused');
});
