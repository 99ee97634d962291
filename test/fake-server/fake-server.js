// The fake server by the place where campaigns, measurements and tests have always started it.
import '../../src/testing/fake-server/bin.js';
