// SPDX-License-Identifier: Apache-2.0
import { test } from 'vitest';
import { watchForDays } from '../laws/watchForDays.ts';

test('numbers, dates and durations agree for a virtual year of one viewer', () => watchForDays(365));
