// React's development build looks for these when it is loaded: it reports every render of a component to a profiler, and
// links every element to the call that created it. Both take a good part of the tests' time, and no test needs them.
for (const name of ['createTask', 'timeStamp']) Reflect.deleteProperty(console, name);
