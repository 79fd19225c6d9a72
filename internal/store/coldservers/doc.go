// Package coldservers has the commands on the servers of old blocks: connect one, list them, claim and adopt them, hide their views before migrations, upgrade
// them, and remove what interrupted steps have left there. The statements are in package cold.
package coldservers
