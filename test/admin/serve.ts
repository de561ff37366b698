// The administrative interface as a process of its own, to be killed. Says `PORT KEY` when it listens.
import { startAdmin } from '../adminServer.ts';

const folder = process.env.DATA_DIR;
const databaseUrl = process.env.DATABASE_URL;
const { app, key } = await startAdmin({ ...(folder ? { folder } : {}), ...(databaseUrl ? { databaseUrl } : {}) });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as { port: number };
console.log(`${port} ${key ?? ''}`);
