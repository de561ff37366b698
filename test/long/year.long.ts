import { test } from 'vitest';
import { watchForDays } from '../laws/longLife.ts';

test('a virtual year of one viewer: numbers, dates and durations stay consistent', () => watchForDays(365));
