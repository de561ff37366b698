// The console without a mouse.
import { expect, test } from 'vitest';
import { startConsole } from './startConsole.ts';

test('an item that is moved with its buttons keeps the focus, up to either end', async () => {
  const desk = await startConsole({});
  try {
    const contents = ['a', 'b', 'c'].map((name) => ({ sourceType: 'url', url: `http://127.0.0.1:9/${name}/master.m3u8` }));
    await desk.api('POST', '/playlists', { id: 'list', contents });
    const page = await desk.newPage();
    await desk.open(page, '/playlists/list');
    const order = () => page.locator('li.item h3').allTextContents();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    const SOON = { timeout: 30_000 };
    await page.getByRole('button', { name: 'Move a down' }).focus();
    const seen: unknown[] = [];
    for (const expected of ['1. b,2. a,3. c', '1. b,2. c,3. a', '1. b,2. a,3. c', '1. a,2. b,3. c']) {
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await order()).join(), SOON).toBe(expected);
      seen.push(await focused());
    }
    expect(seen).toEqual(['Move a down', 'Move a up', 'Move a up', 'Move a down']);
    await page.getByText('Now in place 1 of 3').waitFor({ state: 'attached' });
  } finally {
    await desk.close();
  }
}, 120_000);
