// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fromForm, rebase, toForm } from './channelForm.ts';

test('rebasing keeps edited fields and updates the others', () => {
  const base = toForm({ id: 'one', name: 'One', playlistSize: 60 });
  const latest = toForm({ id: 'one', name: 'Uno', playlistSize: 90 });
  expect(rebase({ ...base, name: 'First' }, base, latest)).toEqual({ ...latest, name: 'First' });
});

test('options that are not set have their defaults; options that are set are kept', () => {
  const defaults = { repeats: 'inPods', tracking: 'server', announceAds: true, confirmations: false };
  expect(fromForm(toForm({}))).toEqual(defaults);
  const given = { repeats: 'drop', tracking: 'client', announceAds: false, confirmations: true } as const;
  expect(fromForm(toForm(given))).toEqual(given);
});
