// Executes transactions in the emulator of the node. Each line of the input is a JSON object, each line of the output its result.
import { createInterface } from 'node:readline';
import { Cell } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor.js';

let executor = await Executor.create();
const configs = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { config, id, account, message, tick, now, lt, seed, libraries, log } = JSON.parse(line);
  if (config) configs.set(id, config);
  const common = {
    config: configs.get(id), libs: libraries ? Cell.fromBase64(libraries) : null, verbosity: log ? 'full_location_stack' : 'short', shardAccount: account,
    now, lt: BigInt(lt), randomSeed: Buffer.from(seed, 'base64'), ignoreChksig: false, debugEnabled: false,
  };
  let result;
  try {
    ({ result } = tick
      ? await executor.runTickTock({ ...common, which: tick })
      : await executor.runTransaction({ ...common, message: Cell.fromBase64(message) }));
  } catch (error) {
    executor = await Executor.create(); // an emulator that has ended abnormally executes nothing any more
    result = { success: false, error: String(error) };
  }
  process.stdout.write(JSON.stringify(result.success
    ? { transaction: result.transaction, account: result.shardAccount, log: log ? result.vmLog : undefined }
    : { error: result.error, exitCode: result.vmResults?.vmExitCode, log: log ? result.vmResults?.vmLog : undefined }) + '\n');
}
