// SPDX-License-Identifier: Apache-2.0
// Copies the configuration of a tenant into another installation, through the API: systems, playlists, channels and alert rules.
// API keys, sessions, reports, webhooks and their secrets are not copied. Needs a key with the scope "manage" in both.
const { FROM_URL, FROM_KEY, TO_URL, TO_KEY } = process.env;
const kinds = ['systems', 'playlists', 'channels', 'alert-rules'];

async function call(url, key, path, body) {
  const response = await fetch(`${url}/api/v2/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function all(url, key, kind) {
  const hasPages = kind === 'playlists' || kind === 'channels';
  if (!hasPages) return call(url, key, kind);
  const records = [];
  for (let offset = 0; ; offset += 100) {
    const page = await call(url, key, `${kind}?limit=100&offset=${offset}`);
    records.push(...page);
    if (page.length < 100) return records;
  }
}

let failed = 0;
for (const kind of kinds) {
  const known = new Set((await all(TO_URL, TO_KEY, kind)).map(({ id }) => id));
  // Lists have the newest first.
  for (const { webhooks, ...record } of (await all(FROM_URL, FROM_KEY, kind)).reverse()) {
    if (known.has(record.id)) continue;
    // Only what clients set: "failed" is a state that Midroll reports.
    const body = record.state === 'failed' ? { ...record, state: 'enabled' } : record;
    try {
      await call(TO_URL, TO_KEY, kind, body);
      console.log(`${kind}/${record.id}`);
    } catch (error) {
      failed += 1;
      console.error(error.message);
    }
  }
}
process.exitCode = failed > 0 ? 1 : 0;
