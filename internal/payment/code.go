package payment

import "strconv"

// notEnough is the TVM code of an insufficient balance. It is also the code of transfers below the registered amount.
const notEnough = 37

// leftOut is the error of a message that the request allowed the wallet to skip.
const leftOut = "Not enough balance"

// bounced is the code of a transfer that bounced without a failure: the destination has no contract.
const bounced = 36

var messages = map[int32]string{
	-14: "Out of gas", 2: "Stack underflow", 3: "Stack overflow", 4: "Integer overflow", 5: "Range check failed",
	6: "Invalid opcode", 7: "Type check failed", 8: "Cell overflow", 9: "Cell underflow", 10: "Dictionary error",
	11: "Unknown error", 12: "Fatal error", 13: "Out of gas",
	32: "Action list invalid", 33: "Action list too long", 34: "Action not supported", 35: "Invalid source address",
	bounced: "Invalid destination address", 38: "Not enough extra currency", 39: "Message does not fit", 40: "Message cannot be processed",
	50: "Account state too large", 65535: "Unknown operation",
}

// jettonMessages are the texts of exit codes of published Jetton wallets.
var jettonMessages = map[int32]string{
	45: "Jetton wallet is locked", 47: "Not enough Jettons", 48: "Not enough gas", 72: "Unknown operation of a Jetton wallet",
	73: "Not the owner of the Jetton wallet", 74: "Not a Jetton wallet of this Jetton", 333: "Wrong workchain",
	705: "Not the owner of the Jetton wallet", 706: "Not enough Jettons", 707: "Not a Jetton wallet of this Jetton",
	709: "Not enough TON for fees",
}

// messageOf returns the text of an exit or result code.
func messageOf(code int32, jetton bool) string {
	if jetton {
		if text := jettonMessages[code]; text != "" {
			return text
		}
	}
	if code == notEnough {
		return "Not enough TON"
	}
	if text := messages[code]; text != "" {
		return text
	}
	return "Contract error " + strconv.Itoa(int(code))
}
