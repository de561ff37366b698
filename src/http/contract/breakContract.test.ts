// SPDX-License-Identifier: Apache-2.0
import { expect, expectTypeOf, test } from 'vitest';
import type { InsertedState } from '../../channels/inserted/breakOrder.ts';
import { schemaFaults } from '../admin/request/validate.ts';
import { type BreakOrderBody, breakOrderBody, type OrderedBreak, orderedBreak } from './breakContract.ts';

test('describes the states of a break', () => {
  expectTypeOf<OrderedBreak['state']>().toEqualTypeOf<InsertedState>();
  expectTypeOf<BreakOrderBody['kind']>().toEqualTypeOf<OrderedBreak['kind'] | undefined>();
  expect(orderedBreak.required).toContain('state');
});

test.each([
  [{ duration: 30 }, []],
  [{ action: 'end' }, []],
  [{ kind: 'blackout', id: 'a.b_C-9' }, []],
  [{ duration: 0 }, ['/duration']],
  [{ duration: '30' }, ['/duration']],
  [{ duration: 30, id: 'a b' }, ['/id']],
  [{ duration: 30, id: 'x'.repeat(65) }, ['/id']],
  [{ duration: 30, kind: 'news', action: 'stop' }, ['/action', '/kind']],
  [{ duration: 30, unknown: 1 }, ['/unknown']],
  [[], ['']],
])('validates %j', (body, paths) => {
  expect(schemaFaults(breakOrderBody, body).map(({ dataPath }) => dataPath)).toEqual(paths);
});
