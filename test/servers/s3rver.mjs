// SPDX-License-Identifier: Apache-2.0
// Runs s3rver in a process of its own: `node s3rver.mjs FOLDER PORT`. It does not check signatures; here, a request without a
// valid one gets a 403, as in a private bucket. Prints its address, then runs until it is ended.
import S3rver from 's3rver';
import { signatureFault } from './s3Signature.mjs';

const [, , directory, port] = process.argv;
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
const server = new S3rver({ address: '127.0.0.1', port: Number(port), silent: true, directory });
server.middleware.unshift(async (context, next) => {
  const fault = context.method === 'OPTIONS' ? undefined : signatureFault(context.req, credentials);
  if (fault === undefined) return next();
  context.status = 403;
  context.type = 'application/xml';
  context.body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${fault}</Code></Error>`;
});
console.log(JSON.stringify(await server.run()));
