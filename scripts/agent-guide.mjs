#!/usr/bin/env node
/**
 * Writes what is made from the schema of agent files: the tables of keys in `config/agents/README.md`, and the schema files
 * for editors beside it. `test/config/agent-guide.test.ts` holds that both are as this writes them.
 *
 *   npm run agents:guide
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { agentJsonSchema, agentTestsJsonSchema, withKeys } from '../dist/config/agent-guide.js';

const guide = new URL('../config/agents/README.md', import.meta.url);
writeFileSync(guide, withKeys(readFileSync(guide, 'utf8')));
writeFileSync(new URL('../config/agents/agent.schema.json', import.meta.url), agentJsonSchema());
writeFileSync(new URL('../config/agents/agent-tests.schema.json', import.meta.url), agentTestsJsonSchema());
