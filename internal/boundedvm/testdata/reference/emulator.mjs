// Executes transactions in the emulator of the node. Each line of the input is a JSON object, each line of the output its result.
import { createInterface } from 'node:readline';
import { Cell } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor.js';

let executor = await Executor.create();
const configs = new Map();
const empty = Cell.EMPTY.toBoc().toString('base64');

// getMethod executes code alone, and returns its exit code, the gas that it used, and its stack.
async function getMethod({ code, stack, gas, libraries, config, log }) {
  const params = {
    code, data: empty, verbosity: log ? 3 : 0, libs: libraries ?? '', address: `0:${'0'.repeat(64)}`, unixtime: 0, balance: '0', rand_seed: '0'.repeat(64),
    gas_limit: String(gas), method_id: 0, debug_enabled: false,
  };
  try {
    const { fail, output } = JSON.parse(executor.extractString(executor.invoke('_run_get_method', [JSON.stringify(params), stack, config])));
    if (fail || !output.success) return { error: JSON.stringify(output) };
    return { exitCode: output.vm_exit_code, gas: Number(output.gas_used), stack: output.stack, log: log ? output.vm_log : undefined };
  } catch (error) {
    executor = await Executor.create();
    return { error: String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { config, id, account, message, tick, now, lt, seed, libraries, log, code, stack, gas } = JSON.parse(line);
  if (config) configs.set(id, config);
  if (code) {
    process.stdout.write(JSON.stringify(await getMethod({ code, stack, gas, libraries, config: configs.get(id), log })) + '\n');
    continue;
  }
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
